import { expect, test } from 'vitest'
import { blocks, pieces } from './markdown'

test('pieces of a line', () => {
  expect(pieces('A **brelan**: `8S 8H`. [B4] [B12a]')).toEqual([
    { kind: 'text', text: 'A ' },
    { kind: 'bold', text: 'brelan' },
    { kind: 'text', text: ': ' },
    { kind: 'code', text: '8S 8H' },
    { kind: 'text', text: '.' },
    { kind: 'rule', text: 'B4' },
    { kind: 'rule', text: 'B12a' },
  ])
})

test('blocks of a page', () => {
  const parts = ['# Game', 'Text over\ntwo lines. [G1]', '## Turn', '- One\n  more. [G2]\n- Two']
  const page = [...parts, '| a | b |\n|---|---|\n| 1 | 2 |\n'].join('\n\n')
  const found = blocks(page)
  expect(found.map((one) => one.kind)).toEqual(['heading', 'paragraph', 'heading', 'list', 'table'])
  expect(found[1]).toMatchObject({ rules: ['G1'] })
  const first = { rules: ['G2'], pieces: [{ text: 'One more.' }, { text: 'G2' }] }
  expect(found[3]).toMatchObject({ items: [first, { rules: [] }] })
  expect(found[4]).toMatchObject({ rows: [[[{ text: '1' }], [{ text: '2' }]]] })
})
