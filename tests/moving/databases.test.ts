/** Supabase and WordPress, read from their databases: the same lines as from their files. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import papaparse from 'papaparse'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { latchkey } from '../cli/kit.ts'
import { type Project, places } from '../cli/projects.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { getBinary, postgres } from '../kit/servers/packages.ts'
import { startPostgres } from '../kit/servers/postgres.ts'

const execute = promisify(execFile)
const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const features: ConfigFile = {
  ...{ emailAndPassword: { enabled: true }, admin: { enabled: true }, phoneNumber: true, anonymous: true, twoFactor: true },
  passwordHash: {
    firebase: { main: 'RVoDppfSjDF9M+BVwvP1Q2rbtUvPYL5IgD/INFeBHpV86BNziHoubiVZjmzPjJbfq1VbIyr9i2eK78MmphtgnA==' },
  },
}

/** The lines that a move would import. */
async function linesOf({ cwd, env }: Project, ...words: string[]): Promise<string> {
  const out = join(cwd, `lines-${words.length}-${Math.random()}.ndjson`)
  const { exitCode, stdout, stderr } = await latchkey(cwd, ['move', ...words, '--to-ndjson', out], env)
  expect(exitCode, stdout + stderr).toBe(0)
  return readFileSync(out, 'utf8')
}

const supabaseTables = `create schema auth;
create table auth.users (instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255), email varchar(255), encrypted_password varchar(255),
  email_confirmed_at timestamptz, invited_at timestamptz, last_sign_in_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb, is_super_admin boolean,
  created_at timestamptz, updated_at timestamptz, phone text, phone_confirmed_at timestamptz, banned_until timestamptz,
  is_sso_user boolean default false not null, deleted_at timestamptz, is_anonymous boolean default false not null);
create table auth.identities (provider_id text not null, user_id uuid not null references auth.users (id), identity_data jsonb not null, provider text not null,
  last_sign_in_at timestamptz, created_at timestamptz, updated_at timestamptz, id uuid primary key);
create table auth.mfa_factors (id uuid primary key, user_id uuid not null references auth.users (id), friendly_name text, factor_type text not null,
  status text not null, created_at timestamptz not null, updated_at timestamptz not null, secret text);`

async function fillSupabase(url: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(supabaseTables)
  const blocks = readFileSync(fixture('supabase/auth.sql'), 'utf8').matchAll(/^COPY (\S+) \(([^)]+)\) FROM stdin;\n(.*?)\\\.$/gms)
  for (const [, table, columns = '', rows = ''] of blocks)
    for (const row of rows.trimEnd().split('\n')) {
      const values = row.split('\t').map((text) => (text === '\\N' ? null : text.replaceAll('\\\\', '\\')))
      await client.query(`insert into ${table} (${columns}) values (${values.map((_, at) => `$${at + 1}`)})`, values)
    }
  await client.end()
}

test('from-supabase reads its database, and dumps of pg_dump with COPY and both forms of INSERT, to the same lines', async () => {
  const server = await startPostgres()
  onTestFinished(server.stop)
  const url = `${server.url}/postgres`
  await fillSupabase(url)
  const project = await places.SQLite(features)
  // Creates the database.
  await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
  const expected = await linesOf(project, 'from-supabase', fixture('supabase/auth.sql'))
  expect(expected.split('\n')).toHaveLength(5)
  expect(await linesOf(project, 'from-supabase', '--database', url)).toBe(expected)
  const program = join(dirname(await realpath(await getBinary(postgres))), 'pg_dump')
  for (const form of [['--inserts'], ['--column-inserts', '--data-only'], ['--data-only']]) {
    const { stdout } = await execute(program, [...form, '-d', url, '-n', 'auth'])
    writeFileSync(join(project.cwd, 'dump.sql'), stdout)
    expect(await linesOf(project, 'from-supabase', 'dump.sql'), form.join(' ')).toBe(expected)
  }
  const { stdout } = await execute(program, ['--inserts', '--data-only', '-d', url, '-n', 'auth'])
  writeFileSync(join(project.cwd, 'dump.sql'), stdout)
  const unnamed = await latchkey(project.cwd, ['move', 'from-supabase', 'dump.sql'], project.env)
  expect([unnamed.exitCode, unnamed.stderr]).toEqual([1, expect.stringContaining('are not named')])
  const other = await latchkey(project.cwd, ['move', 'from-wordpress', '--database', url], project.env)
  expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('expected mysql://')])
  const client = new Client(url)
  await client.connect()
  await client.query('drop schema auth cascade')
  await client.end()
  const empty = await latchkey(project.cwd, ['move', 'from-supabase', '--database', url], project.env)
  expect([empty.exitCode, empty.stderr]).toEqual([1, expect.stringContaining('there is no table auth.users')])
})

const wordPressTables = `create table site_users (ID bigint unsigned not null auto_increment primary key, user_login varchar(60) not null default '',
  user_pass varchar(255) not null default '', user_nicename varchar(50) not null default '', user_email varchar(100) not null default '',
  user_url varchar(100) not null default '', user_registered datetime not null default '0000-00-00 00:00:00',
  user_activation_key varchar(255) not null default '', user_status int not null default 0, display_name varchar(250) not null default '');
create table site_usermeta (umeta_id bigint unsigned not null auto_increment primary key, user_id bigint unsigned not null default 0,
  meta_key varchar(255), meta_value longtext, key user_id (user_id), key meta_key (meta_key(191)));`

async function fillWordPress(url: string): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true, dateStrings: true })
  await connection.query(`set session sql_mode = ''; ${wordPressTables}`)
  for (const table of ['users', 'usermeta']) {
    const text = readFileSync(fixture(`wordpress/wp_${table}.csv`), 'utf8').replaceAll(/\bwp_(?=2_cap|cap)/g, 'site_')
    const [names = [], ...rows] = papaparse.parse<string[]>(text.trimEnd()).data
    await connection.query(`insert into site_${table} (${names.join()}) values ?`, [rows])
  }
  await connection.end()
}

test('from-wordpress reads its database to the lines of its files; no one becomes an administrator without --role', async () => {
  const source = await freshDatabase()
  onTestFinished(() => source.drop())
  await fillWordPress(source.url)
  const project = await places.SQLite(features)
  const files = ['wp_users.csv', 'wp_usermeta.csv'].map((name) => fixture(`wordpress/${name}`))
  const database = ['--database', source.url, '--table-prefix', 'site_']
  const expected = await linesOf(project, 'from-wordpress', ...files)
  expect(expected.split('\n')).toHaveLength(4)
  expect(expected).not.toMatch(/administrator|"role"/)
  expect(await linesOf(project, 'from-wordpress', ...database)).toBe(expected)
  const given = await linesOf(project, 'from-wordpress', ...database, '--role', 'administrator=admin')
  // The role of the second user on another site of the network is not one here.
  expect(given.split('\n').map((line) => /"role":"(\w+)"/.exec(line)?.[1])).toEqual(['admin', undefined, undefined, undefined])
  const applied = await latchkey(project.cwd, ['move', 'from-wordpress', ...database, '--apply', '--json'], project.env)
  expect(JSON.parse(applied.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ moved: 3, reasons: { 'role: editor': 1 } })
})
