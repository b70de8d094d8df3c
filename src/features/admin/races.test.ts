/** Concurrent calls of administrators and users, 64 each; with a database server also on two daemons. */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { password } from '../../../tests/kit/members.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'

describe.each(places)('at %s', (place) => {
  const open = async () => {
    const kit = await administrate(await openRacers(place, { admin: true, session: { maxPerUser: 0 } }))
    /** Alternately a call of the administrator and one of a visitor. */
    const both = () => {
      const visitors = kit.browsers()
      return kit
        .browsers(kit.ada.browser)
        .map((browser, position) => (position % 4 < 2 ? browser : (visitors[position] ?? browser)))
    }
    return { ...kit, both }
  }
  const isAdministrator = (position: number) => position % 4 < 2

  test('no session outlives a ban that races with sign-ins', async () => {
    const { both, ada, uma, sessionsOf, userOf } = await open()
    const answers = await race(both(), (browser, position) =>
      isAdministrator(position)
        ? browser.call('POST /admin/ban-user', { body: { userId: uma.userId } })
        : browser.call('POST /sign-in/email', { body: { email: uma.email, password } }),
    )
    const bans = answers.filter((_, position) => isAdministrator(position))
    expect(tally(bans)).toEqual({ 200: many / 2 })
    expect(await userOf(uma.userId)).toMatchObject({ banned: true })
    expect(await sessionsOf(uma.userId)).toEqual([])
    expect(await sessionsOf(ada.userId)).toHaveLength(1)
  })

  test('no impersonation outlives a ban of the user', async () => {
    const { browsers, ada, uma, sessionsOf } = await open()
    const answers = await race(browsers(ada.browser), (browser, position) =>
      position % 2 === 0
        ? browser.call('POST /admin/ban-user', { body: { userId: uma.userId } })
        : browser.call('POST /admin/impersonate-user', { body: { userId: uma.userId } }),
    )
    const { 200: succeeded = 0, '403 BANNED_USER': rejected = 0, '500 FAILED_TO_CREATE_USER': changed = 0 } = tally(answers)
    expect(succeeded + rejected + changed).toBe(many)
    expect(await sessionsOf(uma.userId)).toEqual([])
  })

  test('after bans and unbans, the columns of a user belong together', async () => {
    const { browsers, ada, uma, userOf, events } = await open()
    const answers = await race(browsers(ada.browser), (browser, position) =>
      position % 2 === 0
        ? browser.call('POST /admin/ban-user', { body: { userId: uma.userId, banReason: 'Spam', banExpiresIn: 60 } })
        : browser.call('POST /admin/unban-user', { body: { userId: uma.userId } }),
    )
    expect(tally(answers)).toEqual({ 200: many })
    const user = await userOf(uma.userId)
    const isBanned = Boolean(user?.banned)
    expect([isBanned, user?.banReason === 'Spam', user?.banExpires !== null]).toEqual([isBanned, isBanned, isBanned])
    expect(await events('user.banned')).toHaveLength(many / 2)
    expect(await events('user.unbanned')).toHaveLength(many / 2)
  })

  test('of two administrators who demote each other, one remains', async () => {
    const { browsers, ada, join, userOf } = await open()
    const eve = await join('Eve', 'admin')
    const [byAda, byEve] = [browsers(ada.browser), browsers(eve.browser)]
    const answers = await race(
      byAda.map((browser, position) => (position % 4 < 2 ? browser : (byEve[position] ?? browser))),
      (browser, position) =>
        browser.call('POST /admin/set-role', { body: { userId: position % 4 < 2 ? eve.userId : ada.userId, role: 'user' } }),
    )
    const roles = [(await userOf(ada.userId))?.role, (await userOf(eve.userId))?.role]
    expect([...roles].sort()).toEqual(['admin', 'user'])
    const { 200: succeeded = 0, '403 YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE': rejected = 0 } = tally(answers)
    expect(succeeded + rejected).toBe(many)
    expect(succeeded).toBeLessThanOrEqual(many / 2)
  })

  test('of two administrators who ban each other, one remains', async () => {
    const { browsers, ada, join, userOf } = await open()
    const eve = await join('Eve', 'admin')
    const [byAda, byEve] = [browsers(ada.browser), browsers(eve.browser)]
    await race(
      byAda.map((browser, position) => (position % 4 < 2 ? browser : (byEve[position] ?? browser))),
      (browser, position) =>
        browser.call('POST /admin/ban-user', { body: { userId: position % 4 < 2 ? eve.userId : ada.userId } }),
    )
    const banned = [(await userOf(ada.userId))?.banned, (await userOf(eve.userId))?.banned].filter(Boolean)
    expect(banned).toHaveLength(1)
  })

  test('a role set by 64 calls is one of theirs, and each is recorded with the former one', async () => {
    const { app, browsers, ada, uma, userOf, events } = await open()
    const [permissions, createdAt] = ['{}', app.now()]
    const roles = Array.from({ length: many }, (_, at) => ({ id: `role-${at}`, name: `role-${at}`, permissions, createdAt }))
    await app.db
      .insertInto('role')
      .values(roles.map((role) => ({ ...role, updatedAt: createdAt })))
      .execute()
    const answers = await race(browsers(ada.browser), (browser, position) =>
      browser.call('POST /admin/set-role', { body: { userId: uma.userId, role: `role-${position}` } }),
    )
    expect(tally(answers)).toEqual({ 200: many })
    const last = (await userOf(uma.userId))?.role
    const changes = (await events('user.role-changed')).map(({ details }) => details as { from: string; to: string })
    expect(new Set(changes.map(({ to }) => to)).size).toBe(many)
    // They form one chain, from the first role to the last.
    expect(new Set(changes.map(({ from }) => from))).toEqual(
      new Set(['user', ...changes.map(({ to }) => to).filter((to) => to !== last)]),
    )
  })

  test('an impersonation that 64 calls stop is stopped once', async () => {
    const { browsers, ada, uma, sessionsOf, events } = await open()
    await ada.browser.call('POST /admin/impersonate-user', { body: { userId: uma.userId } })
    const answers = await race(browsers(ada.browser), (browser) => browser.call('POST /admin/stop-impersonating', {}))
    const { 200: stopped = 0, '401 UNAUTHORIZED': late = 0 } = tally(answers)
    expect([stopped > 0, stopped + late]).toEqual([true, many])
    expect(await sessionsOf(uma.userId)).toHaveLength(1)
    expect(await sessionsOf(ada.userId)).toHaveLength(1)
    expect(await events('user.impersonation-stopped')).toHaveLength(1)
  })

  test('a user who is created by 64 calls exists once', async () => {
    const { browsers, ada, app } = await open()
    const body = { email: 'new@example.com', name: 'New', password }
    const answers = await race(browsers(ada.browser), (browser) => browser.call('POST /admin/create-user', { body }))
    expect(tally(answers)).toEqual({ 200: 1, '400 USER_ALREADY_EXISTS': many - 1 })
    expect(await app.db.selectFrom('user').select('id').where('email', '=', body.email).execute()).toHaveLength(1)
  })
})
