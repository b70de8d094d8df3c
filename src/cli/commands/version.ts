import { version as current } from '../../core/version.ts'
import { command, noOptions } from '../command.ts'

/** What this version of the program can work with. */
const databases = { mysql: '8.0.19', mariadb: '10.6', sqlite: 'built in' }

export const version = command({
  name: 'version',
  summary: 'Show the version and what it runs on',
  examples: ['latchkey version', 'latchkey version --json'],
  input: noOptions,
  action: async ({ output }) => {
    const data = {
      version: current,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      databases,
      licence: 'MIT',
    }
    const supported = `MySQL ${databases.mysql} or later, MariaDB ${databases.mariadb} or later, SQLite (${databases.sqlite})`
    output.result('version/v1', data, [
      `latchkey ${data.version}`,
      `Node.js   ${data.node} on ${data.platform}`,
      `Databases ${supported}`,
      `Licence   ${data.licence}`,
    ])
  },
})
