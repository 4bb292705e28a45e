/**
 * `npm run chaos -- zombies`: pauses a worker with 20 claimed companies for longer than its heartbeat timeout. Half a
 * minute.
 */
import { givenClient } from '../helpers/clients.ts'
import { openChaosDatabase } from './chaos-database.ts'
import { wakeZombies } from './wake-zombies.ts'

const ZOMBIES = 20
await using chaos = await openChaosDatabase()
const { db } = chaos.service
const clientId = await givenClient(db, { units: 1000 })
const result = await wakeZombies({ ...chaos, db, clientId, zombies: ZOMBIES })
console.log(result)
const all = [result.staleRefused, result.namedBySecond, result.webhooks, result.webhookIds]
const none = result.unfinished + result.doubledEvents + result.wrongDeliveries + result.discrepancies
if (all.some((count) => count !== ZOMBIES) || none + result.processExits > 0) process.exitCode = 1
