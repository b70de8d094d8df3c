/** What is counted for an attempt: its account with its network, its account alone, its account with its device. */
import type { App } from '../../core/app.ts'
import { networkOf } from '../../lib/ip.ts'
import type { Counter } from './counters.ts'

const purpose = 'attempt'

/** In one text, whatever stands in the parts. */
const nameOf = (...parts: readonly string[]) => JSON.stringify(parts)

/** The hashes by which all counters of an account are found. */
export const accountKeys = (app: App, account: string): readonly string[] =>
  app.keyring.hashes(purpose, nameOf('account', account.toLowerCase()))

/** The name of one of the laws of the configuration. */
export type Law = 'perNetwork' | 'perAccount'

function counter(app: App, account: string, name: string, law: Law, remembers: boolean): Counter {
  const [newest = ''] = accountKeys(app, account)
  return { keys: app.keyring.hashes(purpose, name), account: newest, law: app.config.attempts[law], remembers }
}

/** @param address of the client; an IPv6 one counts with its network */
export const networkCounter = (app: App, account: string, address: string): Counter =>
  counter(app, account, nameOf('network', account.toLowerCase(), networkOf(address)), 'perNetwork', true)

/** Of what is no person's. Nobody is known by it. */
export const sharedCounter = (app: App, claim: string, address: string, law: Law): Counter =>
  counter(app, claim, nameOf('network', claim, networkOf(address)), law, false)

export const accountCounter = (app: App, account: string): Counter =>
  counter(app, account, nameOf('account', account.toLowerCase()), 'perAccount', false)

/** @param device its session or its cookie */
export const deviceCounter = (app: App, account: string, device: string): Counter =>
  counter(app, account, nameOf('device', account.toLowerCase(), device), 'perNetwork', true)
