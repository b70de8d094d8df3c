import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import type { TestApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { signUp, withAcme } from '../../../tests/kit/members.ts'
import { dataURL, png } from '../../../tests/kit/pictures.ts'

const url = 'https://pictures.example/ann.png'
const webp = expect.stringContaining('WEBP')

/** Answers in the place of all other servers. @returns the URLs that were fetched */
function serve(kit: Pick<TestApp, 'app'>, answer: () => Response | Promise<Response>): string[] {
  const fetched: string[] = []
  const fetchPublic: typeof fetch = async (input) => {
    fetched.push(String(input))
    return answer()
  }
  Object.assign(kit.app, { fetchPublic })
  return fetched
}

const servePNG = (kit: Pick<TestApp, 'app'>) => serve(kit, () => new Response(png(40, 20)))
const show = (browser: Browser, id: string, headers = {}) => browser.request(`/avatar/${id}`, { headers })
const setImage = (browser: Browser, image: string) => browser.call('POST /update-user', { body: { image } })

/** Ann is an administrator of Acme; Ben is a member; Eve is in no organization. */
async function withPicture(image = url) {
  const kit = await withAcme({}, { admin: { enabled: true } })
  const [ben, eve] = [await kit.join('Ben'), await signUp(kit, 'Eve')]
  await setImage(kit.ann.browser, image)
  return { ...kit, ben, eve }
}

describe('GET /avatar/:id', () => {
  test('shows the picture to its user, fellow members and administrators only', async () => {
    const kit = await withPicture()
    const fetched = servePNG(kit)
    const { ada, uma } = await administrate(kit)
    const statuses = []
    for (const { browser } of [kit.ann, kit.ben, ada, kit.eve, uma, { browser: kit.browser() }])
      statuses.push((await show(browser, kit.ann.userId)).status)
    expect(statuses).toEqual([200, 200, 200, 404, 404, 401])
    await kit.settled()
    expect((await show(kit.ben.browser, kit.ann.userId)).body).toEqual(webp)
    expect(fetched[0]).toBe(url)
  })

  test('is a small picture that runs nothing, and that a browser need not read twice', async () => {
    const kit = await withPicture()
    servePNG(kit)
    const { status, headers } = await show(kit.ann.browser, kit.ann.userId)
    const value = (name: string) => headers.get(name)
    expect([status, value('content-type'), value('x-content-type-options')]).toEqual([200, 'image/webp', 'nosniff'])
    expect(value('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect([value('cache-control'), value('cross-origin-resource-policy')]).toEqual(['private, max-age=3600', 'same-origin'])
    expect((await show(kit.ann.browser, kit.ann.userId, { 'if-none-match': String(value('etag')) })).status).toBe(304)
  })

  test('fetches a picture once a day, and also when several ask for it at the same time', async () => {
    const kit = await withPicture()
    const fetched = servePNG(kit)
    await Promise.all([show(kit.ann.browser, kit.ann.userId), show(kit.ben.browser, kit.ann.userId)])
    await kit.settled()
    await show(kit.ben.browser, kit.ann.userId)
    expect(fetched).toHaveLength(1)
    kit.clock.advance(86_401)
    await show(kit.ben.browser, kit.ann.userId)
    await kit.settled()
    expect(fetched).toHaveLength(2)
  })

  test.each([
    ['a server that does not respond', () => Promise.reject(new TypeError('fetch failed'))],
    ['an error', () => new Response('none', { status: 500 })],
    ['an SVG document', () => new Response('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page that says it is a picture', () => new Response('<html>', { headers: { 'content-type': 'image/png' } })],
  ])('shows nothing of %s, and asks again after an hour', async (_, answer) => {
    const kit = await withPicture()
    const fetched = serve(kit, answer)
    const statuses = []
    for (const seconds of [0, 60, 3600]) {
      kit.clock.advance(seconds)
      statuses.push((await show(kit.ann.browser, kit.ann.userId)).status)
      await kit.settled()
    }
    expect(statuses).toEqual([404, 404, 404])
    expect(fetched).toHaveLength(2)
  })

  test.each([
    'http://pictures.example/ann.png',
    'https://pictures.example:8443/ann.png',
    'https://ann:secret@pictures.example/ann.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
    '/ann.png',
  ])('does not fetch %s', async (image) => {
    const kit = await withPicture(image)
    const fetched = servePNG(kit)
    expect((await show(kit.ann.browser, kit.ann.userId)).status).toBe(404)
    expect(fetched).toEqual([])
  })

  test('reaches no private address, also when the configuration names its host', async () => {
    const discoveryUrl = 'https://127.0.0.1:9443/discovery'
    const own = { providerId: 'own', clientId: 'id', clientSecret: 'secret', discoveryUrl }
    const { app } = await withAcme({}, { genericOAuth: { config: [own] } })
    const reason = async (send: typeof fetch) => send(discoveryUrl).catch(({ cause }) => String(cause.code ?? cause.message))
    expect(await reason(app.fetch)).toBe('ECONNREFUSED')
    expect(await reason(app.fetchPublic)).toContain('127.0.0.1 is not a public address')
  })

  test('makes the picture of a data URL small too', async () => {
    const kit = await withPicture(dataURL(png(30, 30)))
    const fetched = servePNG(kit)
    expect((await show(kit.ann.browser, kit.ann.userId)).body).toEqual(webp)
    expect(fetched).toEqual([])
  })

  test('fetches a limited number of URLs for one user', async () => {
    const kit = await withPicture()
    const fetched = serve(kit, () => new Response('none', { status: 404 }))
    for (let number = 0; number < 15; number += 1) {
      await setImage(kit.ann.browser, `${url}?${number}`)
      await show(kit.ann.browser, kit.ann.userId)
    }
    expect(fetched).toHaveLength(12)
  })

  test('keeps nothing of a user whose personal data is erased', async () => {
    const kit = await withPicture()
    servePNG(kit)
    const { ada } = await administrate(kit)
    await setImage(kit.eve.browser, `${url}?eve`)
    await show(ada.browser, kit.eve.userId)
    await kit.settled()
    const rows = () => kit.app.db.selectFrom('avatar').select('id').execute()
    expect(await rows()).toHaveLength(1)
    const body = { userId: kit.eve.userId }
    expect((await ada.browser.call('POST /admin/erase-user', { body })).status).toBe(200)
    expect(await rows()).toEqual([])
  })
})

test('shows the logo of an organization to its members and to administrators', async () => {
  const kit = await withPicture()
  const fetched = servePNG(kit)
  const { ada } = await administrate(kit)
  const logo = 'https://pictures.example/acme.png'
  await kit.app.db.updateTable('organization').set({ logo }).where('id', '=', kit.organizationId).execute()
  const statuses = []
  for (const { browser } of [kit.ben, ada, kit.eve])
    statuses.push((await browser.request(`/organization/logo/${kit.organizationId}`)).status)
  expect([statuses, fetched[0]]).toEqual([[200, 200, 404], logo])
})

describe('POST /update-picture', () => {
  const upload = ({ ann }: { ann: { browser: Browser } }, picture: string | null) =>
    ann.browser.call('POST /update-picture', { body: { picture } })
  const imageOf = async ({ ann }: { ann: { browser: Browser } }) =>
    (await ann.browser.call('GET /get-session', {})).body.user.image

  test('gives the user a picture that apps can show without a session', async () => {
    const kit = await withPicture()
    const { status, body } = await upload(kit, dataURL(png(300, 200)))
    expect([status, await imageOf(kit)]).toEqual([200, body.image])
    const path = new URL(body.image).pathname
    const open = () => kit.browser().request(`/${path}`)
    const shown = await open()
    expect([shown.status, shown.body]).toEqual([200, webp])
    expect(shown.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect((await show(kit.ben.browser, kit.ann.userId)).body).toEqual(webp)
    // Another one has another URL, and the former is gone.
    const next = await upload(kit, dataURL(png(20, 20)))
    expect([next.body.image === body.image, (await open()).status]).toEqual([false, 404])
  })

  test('ends when the user removes it or chooses another one', async () => {
    const kit = await withPicture()
    const { body } = await upload(kit, dataURL(png(30, 20)))
    const open = async () => (await kit.browser().request(`/${new URL(body.image).pathname}`)).status
    await setImage(kit.ann.browser, url)
    expect(await open()).toBe(404)
    const removed = await upload(kit, null)
    expect([removed.body, await imageOf(kit)]).toEqual([{ image: null }, null])
    expect(await kit.app.db.selectFrom('userPicture').select('id').execute()).toEqual([])
  })

  test('rejects what is not a picture', async () => {
    const kit = await withPicture()
    const { status, body } = await upload(kit, dataURL(new TextEncoder().encode('<svg/>')))
    expect([status, body.code]).toEqual([400, 'INVALID_PICTURE'])
    expect((await upload(kit, 'data:image/svg+xml;base64,PHN2Zy8+')).status).toBe(400)
    expect(await imageOf(kit)).toBe(url)
  })
})
