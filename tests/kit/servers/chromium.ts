/** The browser that playwright-core drives. */
import { chromium, getBinary } from './packages.ts'

/**
 * The path of a Chromium or Chrome; installs it where that is possible.
 * @throws Error with the command to type
 */
export const findChromium = (): Promise<string> => getBinary(chromium)

/** For `launch`: needed where tests run as root, in a container, or without a screen. */
export const chromiumArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
