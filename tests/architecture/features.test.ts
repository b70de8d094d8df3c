/** A feature's `index.ts` exports only well-known names and functions, and no name that another feature exports. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ErrorEntry, errorWithValue, errors as kernelErrors } from '../../src/core/errors.ts'
import type { Feature } from '../../src/core/feature.ts'
import { mergeIndexes, mergeTables } from '../../src/core/table.ts'
import { featureList } from '../../src/features/index.ts'
import { configShape, parseConfig } from '../../src/project/config/parse-config.ts'
import { testApp } from '../kit/app.ts'

/** The names that a feature's `index.ts` may export as values in addition to its functions. */
const wellKnown = [
  'config',
  'checkConfig',
  'enabled',
  'tables',
  'configuredTables',
  'configuredIndexes',
  'indexes',
  'secretUses',
  'errors',
  'exportSources',
  'permissions',
  'grants',
  'auditActions',
  'close',
  'denied',
  'publicSettings',
  'pageSources',
  'area',
  'plugin',
  'securitySchemes',
  'describe',
  'routes',
  'authenticate',
  'responseHeaders',
  'signInMethod',
  'admits',
  'admitsSignUp',
  'challenge',
  'secondFactor',
  'screen',
  'before',
  'after',
  'rejections',
  'userFields',
  'events',
  'on',
  'jobs',
  'polls',
  'gauges',
  'mails',
  'texts',
  'seed',
] as const satisfies readonly (keyof Feature)[]

const all = Object.values(featureList)

function strangeExports(name: string, feature: object): string[] {
  return Object.entries(feature)
    .filter(
      ([key, value]) => !wellKnown.some((known) => known === key) && typeof value !== 'function' && !(value instanceof z.ZodType),
    )
    .map(([key]) => `${name} exports ${key}`)
}

function doubledRoutes(features: readonly Feature[]): string[] {
  const keys = features.flatMap(({ routes = {} }) => Object.keys(routes))
  return keys.filter((key, position) => keys.indexOf(key) !== position)
}

/** A code means one thing: clients translate it. */
function ambiguousCodes(features: readonly Feature[]): string[] {
  const texts = new Map<string, ErrorEntry>()
  const entries = [kernelErrors, ...features.map(({ errors = {} }) => errors)].flatMap((catalogue) =>
    Object.values<ErrorEntry>(catalogue),
  )
  return entries.flatMap((entry) => {
    const known = texts.get(entry.code) ?? entry
    texts.set(entry.code, known)
    return known.message === entry.message ? [] : [entry.code]
  })
}

describe('features', () => {
  test('export well-known names, functions and schemas only', () => {
    expect(Object.entries(featureList).flatMap(([name, feature]) => strangeExports(name, feature))).toEqual([])
    expect(strangeExports('planted', { routes: {}, work: () => 1, limit: 3 })).toEqual(['planted exports limit'])
  })

  test('declare each call once, as METHOD /path', () => {
    const [routed = {}] = all.filter(({ routes }) => routes)
    expect(doubledRoutes(all)).toEqual([])
    expect(doubledRoutes([...all, routed]).length).toBeGreaterThan(0)
    for (const key of all.flatMap(({ routes = {} }) => Object.keys(routes))) expect(key).toMatch(/^(GET|POST) \/[\w\-/:.]+$/)
  })

  test('give a code one meaning, derived from its message', () => {
    expect(ambiguousCodes(all)).toEqual([])
    const planted = { errors: { INVALID_EMAIL: { status: 400, code: 'INVALID_EMAIL', message: 'Another text' } } } as const
    expect(ambiguousCodes([...all, planted])).toEqual(['INVALID_EMAIL'])
    const explicit = [
      'VALIDATION_ERROR',
      'SERVICE_UNAVAILABLE',
      'PASSWORD_COMPROMISED',
      'PASSWORD_TOO_PERSONAL',
      'SEARCH_TOO_SLOW',
      ...['READ_ONLY', 'INCIDENT_FILTER_REQUIRED'],
      // A call of 1.4 and later, whose code is not derived.
      'DELETE_ANONYMOUS_USER_DISABLED',
      // Contract 12 §3.
      ...['SESSION_REQUIRED', 'RESOLVED_USER_INVALID'],
      // Contract 06 §1.
      ...['KEY_DISABLED', 'KEY_EXPIRED', 'KEY_NOT_FOUND', 'USAGE_EXCEEDED', 'RATE_LIMITED'],
      // Contract 11 §6.
      'ACCOUNT_TEMPORARILY_LOCKED',
      // As better-auth 1.7 has them.
      ...['YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER', 'TOO_MANY_ROLES', 'INVALID_RESOURCE', 'ROLE_NAME_IS_ALREADY_TAKEN'],
      ...['ROLE_IS_ASSIGNED_TO_MEMBERS', 'CANNOT_DELETE_A_PRE_DEFINED_ROLE'],
      ...['ORGANIZATION_ID_REQUIRED', 'ORGANIZATION_PLUGIN_REQUIRED', 'USER_NOT_MEMBER_OF_ORGANIZATION', 'NAME_REQUIRED'],
      ...['INSUFFICIENT_API_KEY_PERMISSIONS', 'INVALID_REFERENCE_ID_FROM_API_KEY'],
      'SIGN_UP_NOT_ALLOWED',
    ]
    for (const entry of [kernelErrors, ...all.map(({ errors = {} }) => errors)].flatMap((catalogue) =>
      Object.values<ErrorEntry>(catalogue),
    )) {
      if (!explicit.includes(entry.code)) expect(entry.code).toBe(errorWithValue('', 400, entry.message).code)
    }
  })

  test('merge into one schema and one configuration', () => {
    expect(Object.keys(mergeTables(all)).length).toBeGreaterThan(3)
    for (const [table, indexes] of Object.entries(mergeIndexes(all))) {
      const columns = Object.keys(mergeTables(all)[table] ?? {})
      for (const index of indexes) expect(columns).toEqual(expect.arrayContaining([...index.columns]))
    }
    expect(Object.keys(configShape(featureList))).toContain('session')
  })

  test('need no option: each has a default, or is optional', () => {
    const required = parseConfig(featureList, {
      secret: '0123456789 abcdefghijklmnopqrstuvwxyz',
      baseURL: 'https://accounts.example.com',
      database: { url: 'sqlite::memory:' },
    })
    expect(required).toHaveProperty('config')
  })
})

test('a feature that is off has no calls, no tables and no columns', async () => {
  const { app, browser, privileged } = await testApp({ emailAndPassword: { enabled: false } })
  const off: Feature[] = Object.values<Feature>(featureList).filter(({ enabled }) => enabled?.(app.config) === false)
  expect(off.length).toBeGreaterThan(15)
  for (const key of off.flatMap(({ routes = {} }) => Object.keys(routes)))
    for (const client of [browser(), privileged()])
      expect([key, (await client.call(key as 'GET /ok', {})).status]).toEqual([key, 404])
  const columnsOf = (features: readonly Feature[]) =>
    Object.entries(mergeTables(features)).flatMap(([table, columns]) => Object.keys(columns).map((name) => `${table}.${name}`))
  const present = new Set(columnsOf(app.features))
  expect(columnsOf(off).filter((column) => present.has(column))).toEqual([])
})
