/** A configuration that enables what can be enabled without a server of another party: also the features that are added later. */
import type { ConfigShape } from '../../src/core/config.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { configParser, configShape } from '../../src/project/config/parse-config.ts'

/** Sections that are not part of the API, that stand in the way of tests, or that need a server on the internet. */
const left = ['redis', 'rateLimit', 'dashboard', 'log', 'metrics', 'haveIBeenPwned']

const parse = configParser(featureList)

const complete = {
  secret: '0123456789 abcdefghijklmnopqrstuvwxyz',
  environment: 'development',
  database: { url: 'sqlite::memory:' },
}

/** Enables the sections of a shape, also those within sections. */
function enabling(shape: ConfigShape): Record<string, unknown> {
  const members = Object.entries(shape).flatMap(([name, option]): [string, unknown][] => {
    if (!('kind' in option) || option.kind !== 'section' || left.includes(name)) return []
    const inside = enabling(option.shape)
    if (option.mode === 'always') return Object.keys(inside).length > 0 ? [[name, inside]] : []
    return [[name, { enabled: true, ...inside }]]
  })
  return Object.fromEntries(members)
}

/** Leaves out what is not valid by itself, such as a captcha without its provider. */
function validPart(wanted: Record<string, unknown>): ConfigFile {
  const given = { ...complete, emailAndPassword: { enabled: true } }
  const isValid = (config: object) => !('issues' in parse({ ...given, ...config }))
  const members = Object.entries(wanted).flatMap(([name, value]): [string, unknown][] => {
    if (isValid({ [name]: value })) return [[name, value]]
    return isValid({ [name]: { enabled: true } }) ? [[name, { enabled: true }]] : []
  })
  return Object.fromEntries(members)
}

export const everything: ConfigFile = {
  ...validPart(enabling(configShape(featureList))),
  mail: { catch: true },
  sms: { catch: true },
  // Without the hosted pages, their links need a page of the application.
  signUp: {
    inviteLinks: { enabled: true, url: 'https://app.example.com/join' },
    waitingList: { enabled: true, url: 'https://app.example.com/sign-up' },
  },
  // Some calls exist for native apps only.
  trustedOrigins: ['myapp://'],
}
