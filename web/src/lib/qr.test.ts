import { expect, test } from 'vitest'
import { hex, sha256 } from './fairness'
import { qr } from './qr'

const drawn = (text: string) => qr(text).map((row) => row.map((dark) => (dark ? '1' : '0')).join(''))

test('the code of a single letter, module by module', () => {
  expect(drawn('A')).toEqual([
    '111111101001001111111',
    '100000101111101000001',
    '101110100010101011101',
    '101110101101101011101',
    '101110100111001011101',
    '100000100101101000001',
    '111111101010101111111',
    '000000001101100000000',
    '101101110011101001011',
    '010110010101111001000',
    '110011101101000001101',
    '101101000001001111100',
    '100111100100100100100',
    '000000001011001001001',
    '111111101001100101000',
    '100000101100000110110',
    '101110100110111110001',
    '101110101111001111110',
    '101110101010101100000',
    '100000100010010100101',
    '111111101000010010000',
  ])
})

// Sides and SHA-256 of the modules, made with the Python package qrcode 8: versions 3, 5, 7 and 10.
test.each([
  [
    'http://192.168.1.20:7707/t/abc',
    29,
    'baeb3f4af93b74e90a52e5c877b478bac71ba555a42393f05957e8ce986fc47e',
  ],
  [
    `https://example.org/t/abcdefghij#join=${'x1Y2'.repeat(11)}`,
    37,
    'd1d1e0333f38b4006a614cc7619d73ee90236f0e77ca9001bb19c20c0f8add9a',
  ],
  [
    `http://192.168.100.200:7707/t/0123456789ab#join=${'Qz'.repeat(30)}`,
    45,
    '9948393433be1fa21f3db2b0672cdb40074ab07d39b581ee09e5705bd82ccfc1',
  ],
  [
    'é'.repeat(100),
    57,
    '1f4105ad86b6f9e28a15a35becc805a7327abda4353f1caf09dbd711dd7ed364',
  ],
])('the code of %s', (text, side, digest) => {
  const rows = drawn(text)
  expect(rows.length).toBe(side)
  expect(hex(sha256(new TextEncoder().encode(rows.join(''))))).toBe(digest)
})

test('what is too long is refused', () => {
  expect(() => qr('x'.repeat(214))).toThrow(RangeError)
})
