/** `npm run chaos:workers`: 500 companies are submitted, and workers killed 50 times at random moments of their work. */
import { givenClient } from '../helpers/clients.ts'
import { openChaosDatabase } from './chaos-database.ts'
import { killWorkers } from './kill-workers.ts'

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000)
console.log(`seed ${seed}: repeat it with \`npm run chaos:workers ${seed}\``)
await using chaos = await openChaosDatabase()
const { db } = chaos.service
const clientId = await givenClient(db, { units: 10_000 })
const load = { domains: 500, tasks: 20, workers: 3, kills: 50, concurrency: 4, seed }
const think: [number, number] = [500, 4000]
const result = await killWorkers({ ...chaos, db, clientId, ...load, think, log: (line) => console.log(line) })
console.log(result)
const { unfinished, doubledEvents, wrongDeliveries, discrepancies, pickUp } = result
if (unfinished + doubledEvents + wrongDeliveries + discrepancies > 0 || pickUp.longest > 60) process.exitCode = 1
