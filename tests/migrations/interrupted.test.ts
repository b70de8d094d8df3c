/** A worker that starts while a migration is half applied, as after `kill -9` of `migrate up`, serves without what it adds. */
import { expect, test } from 'vitest'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { canServe, generate, introspect, type StatementEvent, up } from '../../src/migrate/index.ts'
import { parseConfig } from '../../src/project/config/parse-config.ts'
import { declaredSchema, fitToDatabase, migrationsFolder } from '../../src/project/schema-check.ts'
import { openPlace, type Place } from './kit.ts'

const fields = {
  nick: { type: 'string', required: false, unique: true },
  plan: { type: 'string', required: false },
} as const

const enabled: ConfigFile = {
  admin: true,
  phoneNumber: { sendOTP: async () => {} },
  anonymous: true,
  apiKey: true,
  jwt: true,
  organization: { teams: { enabled: true } },
  user: { additionalFields: fields },
}

function load(options: ConfigFile, directory: string) {
  const parsed = parseConfig(featureList, {
    environment: 'development',
    secret: 'Zk3vT9qLw2Rr8Yp5Xn1Bc7Md4Gh6Js0FaE',
    baseURL: 'http://localhost:4000',
    database: { url: 'mysql://localhost/db' },
    emailAndPassword: { enabled: true },
    ...options,
  })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return { config: parsed.config, directory }
}

class Killed extends Error {}

/** Stops as a killed run does, at the n-th statement that reaches the phase. @returns whether it was stopped */
async function upUntil(place: Place, dir: string, phase: StatementEvent['phase'], nth: number): Promise<boolean> {
  let passed = 0
  const onStatement = (event: StatementEvent) => {
    if (event.phase !== phase) return
    if (passed === nth) throw new Killed()
    passed += 1
  }
  try {
    await up({ db: place.db, dialect: place.dialect, dir, holder: 'the test', onStatement })
    return false
  } catch (error) {
    if (!(error instanceof Killed)) throw error
    return true
  }
}

test('after each statement of the migration of features and fields a worker serves without them', async () => {
  const place = await openPlace()
  const dir = migrationsFolder(place.dir)
  const before = load({}, place.dir)
  await generate({ schema: declaredSchema(before), dir })
  await up({ db: place.db, dialect: place.dialect, dir, holder: 'the test' })
  const loaded = load(enabled, place.dir)
  await generate({ schema: declaredSchema(loaded), dir })
  const names = async () => {
    const fitted = await fitToDatabase(loaded, place)
    const live = await introspect(place.db, place.dialect)
    return { servable: canServe(declaredSchema(fitted.loaded), live), omitted: fitted.omitted }
  }
  const whole = { servable: true, omitted: expect.arrayContaining(['admin', 'phoneNumber', 'organizations', 'user.nick']) }
  let stops = 0
  while (await upUntil(place, dir, stops % 2 === 0 ? 'started' : 'executed', 0)) {
    expect([stops, await names()]).toEqual([stops, whole])
    stops += 1
  }
  expect(stops).toBeGreaterThan(40)
  expect(await names()).toEqual({ servable: true, omitted: [] })
}, 120_000)

test('a feature whose migration is complete is not left out while another one is half applied', async () => {
  const place = await openPlace()
  const dir = migrationsFolder(place.dir)
  const before = load({ admin: true }, place.dir)
  await generate({ schema: declaredSchema(before), dir })
  await up({ db: place.db, dialect: place.dialect, dir, holder: 'the test' })
  const loaded = load({ admin: true, apiKey: true, anonymous: true }, place.dir)
  await generate({ schema: declaredSchema(loaded), dir })
  expect(await upUntil(place, dir, 'executed', 0)).toBe(true)
  const { omitted } = await fitToDatabase(loaded, place)
  expect(new Set(omitted)).toEqual(new Set(['apiKeys', 'anonymous']))
})
