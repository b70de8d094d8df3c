import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'

test('GET /ok returns ok', async () => {
  const { browser } = await testApp()
  expect((await browser().call('GET /ok', {})).body).toEqual({ ok: true })
})

test('GET /error shows the code, escaped, with a link back', async () => {
  const { browser } = await testApp()
  const page = await browser().request(`/error?error=${encodeURIComponent(`<script>"'&`)}`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.body).toContain('Error Code: <code>&lt;script&gt;&quot;&#39;&amp;</code>')
  expect(page.body).toContain('<a class="button" href="/">Return to Application</a>')
  expect(page.body).not.toContain('<script')
})

test('GET /error is the hosted page', async () => {
  const { browser } = await testApp({}, { dashboard: 'tests/kit/dashboard' })
  const page = await browser().request(`/error?error=${encodeURIComponent(`<script>"'&__TITLE__`)}`, {
    headers: { 'accept-language': 'de-AT, en;q=0.5' },
  })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.body).toContain('"parameters":{"error":"&lt;script>\\"\'&amp;__TITLE__"},')
  expect(page.body).toContain('"path":"/error","locale":"de"')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('GET /error shows Unknown without a code', async () => {
  const { browser } = await testApp()
  expect((await browser().request('/error')).body).toContain('Error Code: <code>Unknown</code>')
})
