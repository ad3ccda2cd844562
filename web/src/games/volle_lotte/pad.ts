import type { GamePad } from '~/pages/Pad/types'
import Form from './PadForm.svelte'

const pad: GamePad = { Form }

export default pad
