/** Every message of the game room. Made from the server's definitions by `make web`: do not edit. */

/** The message was understood, and is stored if there was anything to store. */
export interface Ack {
  type: 'ack'
  re: string
  seq: number
}

/** Seat a bot. */
export interface AddBot {
  type: 'add_bot'
  id: string
  seat: number
  level?: string
}

/** A move the expert considered. */
export interface Advice {
  move: string
  label: string
  win: number | null
  equal: boolean
}

/** Set the table up differently before the deal; only whoever made it can. What is left out stays. */
export interface Arrange {
  type: 'arrange'
  id: string
  options?: Record<string, unknown> | null
  seats?: number | null
  clock?: number | null
  public?: boolean | null
}

/** The table was set up differently; it comes along. */
export interface Arranged {
  type: 'arranged'
  seq: number
  at: number
}

/** A bot sat down. */
export interface BotSeated {
  type: 'bot_seated'
  seq: number
  at: number
  seat: number
  name: string
  level: string
}

/** Seat a bot. */
export interface Botting {
  seat: number
  level?: string
}

/** The last message before the server closes the connection. */
export interface Bye {
  type: 'bye'
  code: string
  text: string
}

/** Ask what can be said of an entry while it is being written: `checked`. Nothing is written. */
export interface Check {
  type: 'check'
  id: string
  entry: Record<string, unknown>
  index?: number | null
}

/** What can be said of an entry that is being written. */
export interface Checked {
  type: 'checked'
  re: string
  seq: number
  values: Record<string, unknown>
  errors: PadProblem[]
  missing: PadProblem[]
}

/** Add random bytes of one's own to the next deal, in hexadecimal. */
export interface Contribute {
  type: 'contribute'
  id: string
  value: string
}

/** A device added to the next deal. */
export interface Contributed {
  type: 'contributed'
  seq: number
  at: number
  seat: number
}

/** How a match went, in words. */
export interface Ending {
  places: string
  results: string[]
  decided: string
  best: string[]
  worst: string[]
  luck: string[]
}

/** Write on the score pad: a new entry, one that replaces another, or one before another. */
export interface Enter {
  type: 'enter'
  id: string
  seq: number
  entry: Record<string, unknown>
  index?: number | null
  insert?: boolean
  confirmed?: string[]
}

/** The score pad has a new entry, or another one in the place of an old one. */
export interface Entered {
  type: 'entered'
  seq: number
  at: number
  entry: Record<string, unknown>
  index: number
  inserted?: boolean
}

/** A field of a game's view, for a front end that does not know the game. What kind it is shows in its value. */
export interface FieldInfo {
  name: string
  label: string
  seat?: boolean
  by_seat?: boolean
  words?: Record<string, string>
  fields?: FieldInfo[]
}

/** A game and its options. */
export interface GameInfo {
  id: string
  name: string
  pitch: string
  players: string
  length: string
  min_seats: number
  max_seats: number
  usual_seats: number
  rules_version: number
  options: OptionInfo[]
  levels: string[]
  has_pad: boolean
  pad_defaults: Record<string, unknown>
  has_lesson: boolean
}

/** The games. */
export interface GameList {
  games: GameInfo[]
}

/** Let bots play faster, or at once to the end: from somebody who is out, when nobody else is left to play. */
export interface Hasten {
  type: 'hasten'
  id: string
  to_the_end?: boolean
}

/** Whether the server works. */
export interface Health {
  status: string
  version: string
}

/** The first message. Who somebody is comes from the token or the browser's identity, never from the message. */
export interface Hello {
  type: 'hello'
  lang?: 'en' | 'fr'
  token?: string | null
  key?: string | null
  after?: number | null
  pauses?: boolean
}

/** Ask the expert for advice. Only who asks is answered. */
export interface Hint {
  type: 'hint'
  id: string
}

/** The expert's advice, best move first. */
export interface Hinted {
  type: 'hinted'
  re: string
  seq: number
  moves: Advice[]
  reason: string
}

/** A seat of one's own. */
export interface Joined {
  seat: number
  token: string
  table: TableInfo
}

/** Sit down. */
export interface Joining {
  name: string
  seat?: number | null
  key?: string | null
  avatar?: string
}

/** Give up one's seat for good. */
export interface Leave {
  type: 'leave'
  id: string
}

/** A seat became free; or, during a match, a bot's. */
export interface Left {
  type: 'left'
  seq: number
  at: number
  seat: number
  name?: string | null
  level?: string | null
}

/** A guided first match. */
export interface Lesson {
  game: string
  lang: string
  options: Record<string, unknown>
  names: string[]
  seat: number
  view: Record<string, unknown>
  steps: LessonStep[]
}

/** A step of a guided first match: the learner is asked for a move, somebody else plays, or something is said. */
export interface LessonStep {
  id: string
  say?: string
  ask?: string
  wanted?: string[]
  good?: string
  wrong?: Record<string, string>
  other?: string
  rule?: string | null
  move?: string | null
  seen?: Record<string, unknown>[]
  after?: Record<string, unknown> | null
}

/** Moments of a match as one seat or a spectator saw them: the view after each move. */
export interface Moments {
  match: number
  total: number
  first: number
  views: Record<string, unknown>[]
  seat?: number | null
}

/** Play a move: its notation, or its number. */
export interface Move {
  type: 'move'
  id: string
  seq: number
  move: string | number
}

/** A move was played. */
export interface Moved {
  type: 'moved'
  seq: number
  at: number
  seat: number
  move: string
  by?: string | null
  seen?: Record<string, unknown>[]
  proof?: Proof | null
}

/** A table to set up. */
export interface NewTable {
  game: string
  seats?: number | null
  options?: Record<string, unknown>
  public?: boolean
  name?: string | null
  avatar?: string
  bots?: string[]
  clock?: number
  title?: string
  lang?: 'en' | 'fr'
  kind?: 'match' | 'pad'
  players?: string[]
  first?: number | null
}

/** A choice a table can make. */
export interface OptionInfo {
  name: string
  label: string
  help: string
  kind: string
  default: unknown
  values?: Record<string, unknown>[]
  low?: number | null
  high?: number | null
  step?: number | null
  rule?: string
}

/** The sheet of a score pad for a spreadsheet. */
export interface PadFile {
  csv: string
}

/** What is wrong with an entry of a score pad, and where. */
export interface PadProblem {
  text: string
  field?: string
  seats?: number[]
  rule?: string | null
}

/** Somebody has pressed on, or is gone. Without `waiting` the pause after the round is over. */
export interface Paused {
  type: 'paused'
  waiting?: number[]
  clock?: number | null
}

/** Are you there? */
export interface Ping {
  type: 'ping'
  id: string
}

/** Who is connected. */
export interface Presence {
  type: 'presence'
  here: number[]
  watching: number
}

/** Why a request was refused. */
export interface Problem {
  code: string
  text: string
  rule?: string | null
}

/** What lets anyone check the deal, once the match is over. */
export interface Proof {
  commitment: string
  secret: string
  contributions: string[]
  key: string
}

/** Show a reaction. */
export interface React {
  type: 'react'
  id: string
  mark: string
}

/** Somebody showed a reaction. */
export interface Reacted {
  type: 'reacted'
  seq: number
  at: number
  mark: string
  name: string
  seat?: number | null
}

/** Press on after a round. */
export interface Ready {
  type: 'ready'
  id: string
}

/** What is told of a match: its rounds as the reader saw them; once it is over, how it went. */
export interface Recap {
  match: number
  rounds: RoundRecap[]
  ending?: Ending | null
}

/** A match's record, with the proof of its deal once it is over. `ludotheque verify` reads it. */
export interface RecordFile {
  record: Record<string, unknown>
  deal?: Proof | null
}

/** The message was refused and nothing changed. `code` is for programs, `text` for people. */
export interface Refused {
  type: 'refused'
  code: string
  text: string
  seq: number
  re?: string | null
  rule?: string | null
  view?: Record<string, unknown> | null
  field?: string | null
  seats?: number[]
  question?: string | null
}

/** Get ready for another match with the same people. */
export interface Rematch {
  type: 'rematch'
  id: string
}

/** The table gets ready for another match, whose deal is committed to. */
export interface Rematched {
  type: 'rematched'
  seq: number
  at: number
  match: number
  commitment: string
}

/** Free a bot's seat. */
export interface RemoveBot {
  type: 'remove_bot'
  id: string
  seat: number
}

/** Change the names on the score pad. */
export interface Rename {
  type: 'rename'
  id: string
  seq: number
  names: string[]
}

/** The names on the score pad have changed. */
export interface Renamed {
  type: 'renamed'
  seq: number
  at: number
  names: string[]
}

/** Move an entry of the score pad to another place. */
export interface Reorder {
  type: 'reorder'
  id: string
  seq: number
  index: number
  to: number
}

/** An entry of the score pad has another place. */
export interface Reordered {
  type: 'reordered'
  seq: number
  at: number
  index: number
  to: number
}

/** A match as the reader saw it: the deal, then what each move showed, in events with sentences. */
export interface Replay {
  match: number
  moves: string[]
  seen: Record<string, unknown>[][]
}

/** Somebody is back and plays again. */
export interface Returned {
  type: 'returned'
  seq: number
  at: number
  seat: number
}

/** A round that has ended: who gained or lost what, and why. */
export interface RoundRecap {
  round: number
  title: string
  points: number[]
  scores: number[]
  reasons: string[]
}

/** A rules page in Markdown. */
export interface Rules {
  game: string
  lang: string
  text: string
}

/** Somebody said something; without a seat: a spectator. */
export interface Said {
  type: 'said'
  seq: number
  at: number
  text: string
  name: string
  seat?: number | null
}

/** Say something to everybody at the table. */
export interface Say {
  type: 'say'
  id: string
  text: string
}

/** A seat at a table. */
export interface SeatInfo {
  kind: string
  name?: string | null
  level?: string | null
  contributed?: boolean
  avatar?: string
}

/** A person sat down. */
export interface Seated {
  type: 'seated'
  seq: number
  at: number
  seat: number
  name: string
}

/** A table and what the reader may see of its match. */
export interface Shown {
  table: TableInfo
  seq: number
  seat?: number | null
  view?: Record<string, unknown> | null
}

/** Deal. All seats must be taken. */
export interface Start {
  type: 'start'
  id: string
}

/** The cards were dealt. */
export interface Started {
  type: 'started'
  seq: number
  at: number
  match: number
  deal: string
  seen?: Record<string, unknown>[]
}

/** A bot plays for somebody who is away. */
export interface StoodIn {
  type: 'stood_in'
  seq: number
  at: number
  seat: number
  level: string
}

/** A public table in the list. */
export interface Summary {
  id: string
  game: string
  title: string
  status: string
  taken: number
  num_seats: number
  updated: number
}

/** What everybody may know of a table besides the cards. */
export interface TableInfo {
  id: string
  kind: string
  game: string
  rules_version: number
  status: string
  seats: SeatInfo[]
  options: Record<string, unknown>
  public: boolean
  lang: string
  created: number
  match: number
  commitment: string
  title?: string
  clock?: number
  deal?: string | null
  proof?: Proof | null
}

/** The public tables, those with free seats first. */
export interface TableList {
  tables: Summary[]
}

/** A new table, with the secrets of its links. */
export interface TableMade {
  table: TableInfo
  join: string
  watch: string
  seat?: number | null
  token?: string | null
}

/** Move to a free seat before the deal, or change places with a bot. */
export interface TakeSeat {
  type: 'take_seat'
  id: string
  seat: number
}

/** The words of a game, or those all games share. */
export interface Texts {
  lang: string
  texts: Record<string, unknown>
}

/** A person moved to another seat; a bot that sat there has theirs now. */
export interface TookSeat {
  type: 'took_seat'
  seq: number
  at: number
  seat: number
  left: number
}

/** Take back one's last move, at a table with one person and bots. */
export interface Undo {
  type: 'undo'
  id: string
  seq: number
}

/** Moves were taken back. */
export interface Undone {
  type: 'undone'
  seq: number
  at: number
  seat: number
  ply: number
}

/** Something happened. `re` is the message of the reader that did it, which is now stored for good. */
export interface Update {
  type: 'update'
  seq: number
  events: Happened[]
  view?: Record<string, unknown> | null
  table?: TableInfo | null
  clock?: number | null
  waiting?: number[]
  re?: string | null
}

/** What the table of a game shows. */
export interface ViewInfo {
  game: string
  lang: string
  fields: FieldInfo[]
}

/** The answer to `hello`: the table as it is, and what happened since `after`. */
export interface Welcome {
  type: 'welcome'
  seq: number
  table: TableInfo
  events: Happened[]
  seat?: number | null
  view?: Record<string, unknown> | null
  here?: number[]
  watching?: number
  clock?: number | null
  waiting?: number[]
  can_write?: boolean
  can_arrange?: boolean
}

/** Ask whether a move can be played now: `ack`, or `refused` as the move would be. Nothing is played. */
export interface Why {
  type: 'why'
  id: string
  move: string | number
}

/** Remove an entry of the score pad. */
export interface Wipe {
  type: 'wipe'
  id: string
  seq: number
  index?: number | null
}

/** An entry of the score pad was removed. */
export interface Wiped {
  type: 'wiped'
  seq: number
  at: number
  index: number
}

export type Happened =
  | Seated
  | BotSeated
  | Left
  | TookSeat
  | Arranged
  | Contributed
  | Started
  | Moved
  | Undone
  | Said
  | Reacted
  | StoodIn
  | Returned
  | Rematched
  | Entered
  | Wiped
  | Reordered
  | Renamed

export type Request =
  | Move
  | Say
  | React
  | Contribute
  | AddBot
  | RemoveBot
  | TakeSeat
  | Arrange
  | Leave
  | Start
  | Rematch
  | Undo
  | Why
  | Hint
  | Ready
  | Hasten
  | Enter
  | Wipe
  | Reorder
  | Rename
  | Check
  | Ping

export type Answer =
  | Welcome
  | Update
  | Ack
  | Refused
  | Hinted
  | Checked
  | Presence
  | Paused
  | Bye

/** The reactions. */
export const MARKS = ['thumb', 'clap', 'smile', 'laugh', 'wow', 'sad', 'think', 'heart', 'party', 'wave'] as const
export type Reaction = (typeof MARKS)[number]

/** The longest message. */
export const MAX_SAID = 500
