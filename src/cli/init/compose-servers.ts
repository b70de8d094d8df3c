/** The compose.yaml of a new project: the servers that its answers chose, published on this machine only. */
import type { InitAnswers } from './questions.ts'

export type Servers = Pick<InitAnswers, 'databaseUrl' | 'redisUrl'>

/** Whether the URL is the one of the MySQL below, with the account and the password that compose.yaml reads. */
export const isLocalMySQL = (url: string): boolean => /^mysql:\/\/latchkey:\w+@127\.0\.0\.1:3306\/latchkey$/.test(url)
const isLocalRedis = (url: string): boolean => url === 'redis://127.0.0.1:6379'

const mysqlService = `
  mysql:
    image: mysql:8.4
    restart: unless-stopped
    environment:
      MYSQL_DATABASE: latchkey
      MYSQL_USER: latchkey
      # From .env.
      MYSQL_PASSWORD: \${MYSQL_PASSWORD:?}
      MYSQL_RANDOM_ROOT_PASSWORD: 'yes'
    ports: ['127.0.0.1:3306:3306']
    volumes: ['mysql:/var/lib/mysql']
    healthcheck:
      # By TCP: while the image prepares the database, MySQL listens on a socket only.
      test: [CMD, mysqladmin, ping, --host=127.0.0.1, --silent]
      interval: 5s
      timeout: 5s
      retries: 30
`

const redisService = `
  redis:
    image: redis:7-alpine
    restart: unless-stopped
    # Counters and short-lived caches: nothing to save.
    command: [redis-server, --save, '', --maxmemory, 256mb, --maxmemory-policy, noeviction]
    ports: ['127.0.0.1:6379:6379']
    healthcheck:
      test: [CMD, redis-cli, ping]
      interval: 5s
      timeout: 5s
      retries: 12
`

/** @returns the text of compose.yaml, without a secret */
export const composeText = ({ databaseUrl, redisUrl }: Servers): string => `\
# The servers for this machine: \`docker compose up --detach --wait\`, then \`npx latchkey start\`. \`npx latchkey dev\` needs none of them.
services:
  # Catches all emails, and shows them at http://localhost:8025.
  mailpit:
    image: axllent/mailpit:latest
    restart: unless-stopped
    ports: ['127.0.0.1:1025:1025', '127.0.0.1:8025:8025']
${isLocalMySQL(databaseUrl) ? mysqlService : ''}${isLocalRedis(redisUrl) ? redisService : ''}${isLocalMySQL(databaseUrl) ? '\nvolumes:\n  mysql:\n' : ''}`
