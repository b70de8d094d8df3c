/** Calls that only somebody who solved a captcha may make: verified at the provider before anything else is done. */
import type { Config } from '../index.ts'

export { checkConfig, config } from './config.ts'
export { errors } from './errors.ts'
export { screen } from './screen.ts'

export const enabled = (config: Config) => config.captcha.enabled
