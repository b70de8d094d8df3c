/**
 * Random requests, made from the OpenAPI document, to a daemon on a database server and Redis: none may end in a failure, without a
 * response, or in another response than the document describes.
 * FUZZ_REQUESTS: their number. FUZZ_SEED: the seed that a failed run printed.
 */
import { randomInt } from 'node:crypto'
import fc, { type RunDetails } from 'fast-check'
import { createPool } from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import { createServerProject, type Project } from '../daemon/project.ts'
import { callsOf, type Document } from '../kit/documented.ts'
import { everything } from '../kit/everything.ts'
import { freshKeyspace } from '../kit/servers/index.ts'
import { createReplyCheck, createTally, memoryOf, neverSucceeded, type Tally } from './checks.ts'
import type { Query } from './fixtures.ts'
import { createLane } from './lane.ts'
import { type FuzzRequest, requestsOf } from './requests.ts'

const count = Number(process.env.FUZZ_REQUESTS ?? 30_000)
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
/** Requests at the same time. */
const laneCount = 8
/** Until this part of the requests, caches fill and code is compiled, as 15,000 requests do; what grows later grows without end. */
const warmUp = 0.5
const allowedGrowthMiB = 96
/** Calls that succeed at least once in a run of so many requests; others need a provider, or what no client has. */
const [leastSucceeded, leastForAll] = [130, 20_000]

/** Without limits, which would reject most requests; with the cheapest hashes. */
const options = {
  ...everything,
  emailAndPassword: { enabled: true },
  passwordHash: { memory: 8192, iterations: 1, queue: 1000 },
  rateLimit: { enabled: false },
  attempts: { enabled: false },
  apiKey: { rateLimit: { enabled: false } },
  socialProviders: { github: { clientId: 'client', clientSecret: 'secret' } },
  genericOAuth: {
    config: [
      {
        ...{ providerId: 'custom', clientId: 'client', clientSecret: 'secret' },
        ...{ authorizationUrl: 'https://id.example.com/authorize', tokenUrl: 'https://id.example.com/token' },
        userInfoUrl: 'https://id.example.com/user',
      },
    ],
  },
  environment: 'development',
}

async function startDaemon() {
  const { redis } = await freshKeyspace()
  const project = await createServerProject((port) =>
    Object.entries({ ...options, redis, server: { port } })
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join(', '),
  )
  const daemon = await project.serve()
  const response = await fetch(`${project.api}/open-api/generate-schema`)
  return { project, daemon, document: (await response.json()) as Document }
}

const workersOf = async (project: Project) => (await project.status()).workers.map(({ pid }) => pid)

function openLanes({ port, database }: Awaited<ReturnType<typeof startDaemon>>['project']) {
  const pool = createPool(database.url)
  onTestFinished(() => pool.end())
  const query: Query = async (sql, values) => {
    const [rows] = await pool.query(sql, [...values])
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
  }
  const lanes = Array.from({ length: laneCount }, (_, at) => createLane(`lane${at}`, port, query))
  onTestFinished(() => {
    for (const lane of lanes) lane.close()
  })
  return lanes
}

/** Samples the memory of processes. @returns by how much it has grown since the warm-up, in MiB: the least that it could be */
function watchMemory(pids: readonly number[], tally: Tally) {
  const samples: { readonly sent: number; readonly mebibytes: number }[] = []
  const timer = setInterval(() => {
    samples.push({ sent: tally.sent, mebibytes: pids.reduce((sum, pid) => sum + memoryOf(pid), 0) })
  }, 500)
  onTestFinished(() => clearInterval(timer))
  return () => {
    const before = samples.filter(({ sent }) => sent <= count * warmUp).map(({ mebibytes }) => mebibytes)
    const after = samples.filter(({ sent }) => sent > count * 0.8).map(({ mebibytes }) => mebibytes)
    const [most, least] = [Math.max(...before), Math.min(...after)]
    console.log(
      `memory of the workers: at most ${most.toFixed(0)} MiB until the warm-up ends, at least ${least.toFixed(0)} MiB at the end`,
    )
    return least - most
  }
}

/** With what repeats it: FUZZ_SEED is the seed of the first lane. */
const describeFailure = ({ seed: own, counterexamplePath, counterexample, numRuns, errorInstance }: RunDetails<[FuzzRequest]>) =>
  [
    `request ${numRuns} of a lane (seed ${own}, path ${counterexamplePath}): ${errorInstance}`,
    JSON.stringify(counterexample?.[0]).slice(0, 2000),
  ].join('\n')

test(`${count} random requests: no failure, no other response than documented, steady memory`, async () => {
  const { project, daemon, document } = await startDaemon()
  const tally = createTally()
  const check = createReplyCheck(document, tally)
  const pids = await workersOf(project)
  const readGrowth = watchMemory(pids, tally)
  const requests = requestsOf(document)

  console.log(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${count}`)
  const started = performance.now()
  const runs = openLanes(project).map((lane, at) => {
    const property = fc.asyncProperty(requests, async (request) => check(request, await lane.send(request)))
    return fc.check(property, { seed: seed + at, numRuns: Math.ceil(count / laneCount) })
  })
  const results = await Promise.all(runs)
  const seconds = (performance.now() - started) / 1000

  const share = Math.round((tally.handled / tally.sent) * 100)
  const outcomes = [...tally.outcomes].toSorted().map(([outcome, number]) => `${outcome}: ${number}`)
  console.log(`${tally.sent} requests in ${seconds.toFixed(0)} s, ${Math.round(tally.sent / seconds)} per second`)
  console.log(`${share} % reached a handler; responses by status: ${outcomes.join(', ')}`)
  const missed = neverSucceeded(document, tally)
  const succeeded = callsOf(document).length - missed.length
  console.log([`${succeeded} of ${callsOf(document).length} calls succeeded; never:`, ...missed].join('\n  '))
  if (count >= leastForAll) expect(succeeded).toBeGreaterThanOrEqual(leastSucceeded)
  const failures = results.filter(({ failed }) => failed)
  expect(failures.map(describeFailure).join('\n\n')).toBe('')
  expect(await workersOf(project)).toEqual(pids)
  expect(daemon.output().match(/^.*(Unhandled|uncaught|"level":"?(error|50)).*$/gim)).toBeNull()
  expect(share).toBeGreaterThan(30)
  expect(readGrowth()).toBeLessThan(allowedGrowthMiB)
})
