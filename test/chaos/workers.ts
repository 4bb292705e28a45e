/**
 * `npm run chaos -- workers [SEED]`: submits 500 companies and kills workers 50 times at random moments. Takes about
 * three minutes.
 */
import { givenClient } from '../helpers/clients.ts'
import { openChaosDatabase } from './chaos-database.ts'
import { killWorkers } from './kill-workers.ts'

/** Sum of the heartbeat timeout, the detection of dead workers and the delay before the next attempt, in seconds. */
const LONGEST_PICK_UP = 17
/** The queue's limit. */
const MOST_ATTEMPTS = 13

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000)
console.log(`seed ${seed}: repeat it with \`npm run chaos -- workers ${seed}\``)
await using chaos = await openChaosDatabase()
const { db } = chaos.service
const clientId = await givenClient(db, { units: 10_000 })
const load = { domains: 500, tasks: 20, workers: 3, kills: 50, concurrency: 4, seed }
const think: [number, number] = [500, 4000]
const result = await killWorkers({ ...chaos, db, clientId, ...load, think, log: (line) => console.log(line) })
console.log(result)
const { unfinished, doubledEvents, wrongDeliveries, discrepancies, outcomes, pickUp, mostAttempts } = result
const wrong = unfinished + doubledEvents + wrongDeliveries + discrepancies
if (wrong > 0 || outcomes['complete'] !== load.domains) process.exitCode = 1
if (pickUp.longest > LONGEST_PICK_UP || mostAttempts > MOST_ATTEMPTS) process.exitCode = 1
