// Players for a peer: `node load.js PEER PORT TABLES saturated|paced SECONDS`.
//
// Both seats of every table are in this process, so one clock says how long a move took from being sent to being seen
// by the other seat. Prints `measuring` when the warm-up is over, then a line of JSON, and stays until it is stopped.

const [peer, port, count, mode, seconds] = process.argv.slice(2)
const { openTable } = await import(`./players_${peer}.js`)
const NUM_TABLES = Number(count)
const WARM_UP = 2000
const OPENERS = 20

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
let latencies = []

// A table alternates strictly: the seat that sees the other's move is at turn.
class Table {
  turn = 0
  sent = 0
  moves = 0

  play() {
    this.sent = performance.now()
    this.plays[this.turn]()
  }

  // The seat sees the other's move.
  see(seat) {
    if (this.sent === 0 || seat === this.turn) throw new Error('a move that nobody made')
    latencies.push(performance.now() - this.sent)
    this.sent = 0
    this.moves++
    this.turn = seat
    if (mode === 'saturated') this.play()
  }
}

async function openTables() {
  const tables = []
  const open = async () => {
    while (tables.length < NUM_TABLES) {
      const table = new Table()
      const number = tables.push(table) - 1
      table.plays = await openTable(Number(port), number, (seat) => table.see(seat))
    }
  }
  await Promise.all(Array.from({ length: OPENERS }, open))
  return tables
}

// One move a second at every table, spread evenly.
function pace(tables) {
  const begin = performance.now()
  let due = 0
  setInterval(() => {
    for (const passed = ((performance.now() - begin) / 1000) * tables.length; due < passed; due++) {
      const table = tables[due % tables.length]
      if (table.sent === 0) table.play()
    }
  }, 1)
}

const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]

const tables = await openTables()
if (mode === 'paced') pace(tables)
else for (const table of tables) table.play()
await sleep(WARM_UP)

latencies = []
for (const table of tables) table.moves = 0
console.log('measuring')
const begin = performance.now()
await sleep(Number(seconds) * 1000)
const passed = (performance.now() - begin) / 1000
const sorted = Float64Array.from(latencies).sort()
const stalled = tables.filter((table) => table.moves === 0).length
const result = { rate: sorted.length / passed, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), stalled }
console.log(JSON.stringify(result))
