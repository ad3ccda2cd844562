import { expect, test } from 'vitest'
import { check, hex, mix, sha256, unhex } from './fairness'

test('SHA-256 is the one of everybody else, for all lengths around a block', async () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = crypto.getRandomValues(new Uint8Array(length))
    expect(hex(sha256(bytes))).toBe(hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))
  }
})

test('a deal is mixed as the server mixes it', () => {
  // From ludotheque.server.domain.fairness.mix(bytes(range(32)), [b"\xab" * 32, b""])
  const secret = Uint8Array.from({ length: 32 }, (_, i) => i)
  const key = 'c48aeb3bddc11e0fa7a00831a4e9dc14515295dd3a96f90df88240aa8c098c62'
  expect(mix(secret, [unhex('ab'.repeat(32)), unhex('')])).toBe(key)
})

test('a promise that was kept, one nobody saw, and one that was broken', () => {
  const secret = 'cd'.repeat(32)
  const contributions = ['ab'.repeat(32), '']
  const key = mix(unhex(secret), contributions.map(unhex))
  const commitment = hex(sha256(unhex(secret)))
  const proof = { secret, contributions, key, commitment }
  const deal = hex(sha256(unhex(key)))
  expect(check(proof, deal, { commitment, added: 'ab'.repeat(32) })).toBe('kept')
  expect(check(proof, deal, null)).toBe('unseen')
  expect(check(proof, deal, { commitment: '00'.repeat(32) })).toBe('broken')
  expect(check(proof, deal, { commitment, added: 'ef'.repeat(32) })).toBe('broken')
  expect(check(proof, '00'.repeat(32), null)).toBe('broken')
  expect(check({ ...proof, contributions: ['', ''] }, deal, null)).toBe('broken')
})
