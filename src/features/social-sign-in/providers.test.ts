import { expect, test } from 'vitest'
import { baseURL, testApp } from '../../../tests/kit/app.ts'
import { flow, standIn } from '../../../tests/kit/provider-stand-in.ts'

const token = { access_token: 'access-1', token_type: 'bearer', scope: 'read:user,user:email' }

test('signs in with GitHub', async () => {
  const github = await standIn({
    'POST /token': token,
    'GET /user': { id: 42, login: 'ann', name: null, email: null, avatar_url: 'https://img.example/a.png' },
    'GET /user/emails': [{ email: 'Ann@Example.com', primary: true, verified: true }],
  })
  const endpoints = { tokenEndpoint: `${github.origin}/token`, userInfoEndpoint: `${github.origin}/user` }
  const kit = await testApp({ socialProviders: { github: { clientId: 'id', clientSecret: 'secret', ...endpoints } } })
  const browser = kit.browser()
  const done = await flow(browser, 'github')
  expect([done.status, done.headers.get('location')]).toEqual([302, '/dashboard'])
  expect(github.last('/token').form.get('client_secret')).toBe('secret')
  const { body } = await browser.call('GET /get-session', {})
  expect(body?.user).toMatchObject({ name: 'ann', email: 'ann@example.com', emailVerified: true })
  expect(baseURL).toBeTruthy()
})
