import { expect, test } from 'vitest'
import {
  expectNotLinked,
  hostile,
  openProvider,
  outcome,
  refresh,
  testRejections,
  tokenResponse,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'

const tokenURL = 'https://api.notion.com/v1/oauth/token'
const meURL = 'https://api.notion.com/v1/users/me'
const [token, me] = [`POST ${tokenURL}`, `GET ${meURL}`]

const user = {
  object: 'user',
  id: '5389a034-eb5c-47b5-8a9e-f79c99ef166c',
  name: 'Ann Smith',
  avatar_url: 'https://lh3.googleusercontent.com/a-/ann',
  type: 'person',
  person: { email: 'Ann@Example.com' },
}
const bot = (owner: object) => ({
  object: 'user',
  id: '16d84278-ab0e-484c-9bdd-b35da3bd8905',
  name: 'Acme',
  avatar_url: null,
  type: 'bot',
  bot: { owner, workspace_name: "Ann's workspace" },
})
const owned = (changes: object) => ({ [me]: bot({ type: 'user', user: { ...user, ...changes } }) })
const granted = {
  ...tokenResponse,
  bot_id: '16d84278-ab0e-484c-9bdd-b35da3bd8905',
  duplicated_template_id: null,
  owner: { type: 'user', user },
  workspace_icon: null,
  workspace_id: 'j565j4d7x3-2882-61bs-564a-jj9d9ui-c36hxfr7x',
  workspace_name: "Ann's workspace",
}

const notion = () => openProvider('notion', { endpoints: () => ({ [token]: granted, ...owned({}) }) })

test('signs in with Notion, with a token request in JSON', async () => {
  const open = await notion()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://api.notion.com/v1/oauth/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'redirect_uri=http://localhost:3000/api/auth/callback/notion',
    'owner=user',
  ])
  expect(viewTokenRequest(open, tokenURL)[0]).toBe('Basic the-client:the-client-secret')
  const { headers, body } = open.last(tokenURL)
  expect([headers['content-type'], JSON.parse(body)]).toEqual([
    'application/json',
    {
      grant_type: 'authorization_code',
      code: 'a-code',
      redirect_uri: 'http://localhost:3000/api/auth/callback/notion',
    },
  ])
  const { 'notion-version': version, authorization } = open.last(meURL).headers
  expect([version, authorization]).toEqual(['2022-06-28', 'Bearer access-token-1'])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: false,
    image: 'https://lh3.googleusercontent.com/a-/ann',
    accountId: '5389a034-eb5c-47b5-8a9e-f79c99ef166c',
    issuer: 'https://api.notion.com',
    scope: null,
  })
})

test('refreshes the tokens of Notion', async () => {
  const open = await notion()
  await open.signIn()
  const later = { ...granted, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, token, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(viewTokenRequest(open, tokenURL)[0]).toBe('Basic the-client:the-client-secret')
  const fields = { grant_type: 'refresh_token', refresh_token: 'refresh-token-1' }
  expect(JSON.parse(open.last(tokenURL).body)).toEqual(fields)
})

test('does not link an email address of Notion', async () => {
  await expectNotLinked(await notion(), 'ann@example.com')
})

testRejections(notion, {
  'a user without an email address': ['email_not_found', () => owned({ person: {} })],
  'a bot of a workspace': ['unable_to_get_user_info', () => ({ [me]: bot({ type: 'workspace', workspace: true }) })],
  'an owner of another type': ['unable_to_get_user_info', () => ({ [me]: bot({ type: 'agent', user }) })],
  'an error page for the profile': ['unable_to_get_user_info', () => ({ [me]: hostile.errorPage })],
  'tokens of 10 MiB': ['invalid_code', () => ({ [token]: hostile.tenMebibytes })],
})
