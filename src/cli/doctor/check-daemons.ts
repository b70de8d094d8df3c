/** Compares the configuration with those of the daemons that serve the same database. */
import type { OpenApp } from '../../app.ts'
import type { Config } from '../../features/index.ts'
import { describeDifference } from '../../migrate/index.ts'
import { findOtherConfigurations } from '../../project/daemon-checks.ts'
import { check, type Finding } from './finding.ts'

/** Nothing while all daemons of the database have the same configuration as this one. */
export async function checkDaemons(database: OpenApp['database'], config: Config): Promise<Finding[]> {
  const { warning, failed } = check('daemons', 'Daemons')
  return (await findOtherConfigurations(config, database, null)).map((difference) => {
    const message = `With another configuration than here: ${describeDifference(difference)}`
    const fix = 'Use the same configuration and secret on every machine, then run `latchkey reload` there.'
    return difference.secret === 'unknown' ? failed(message, fix) : warning(message, fix)
  })
}
