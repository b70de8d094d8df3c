/** States of the pages of terms, which a sign-in that waits opens. */
import { prepareResponse } from '../kit/hosted-pages.ts'
import { ada, type Lead, loadError, type States, withResponse } from './leads.ts'

export const documentTitle = 'Privacy policy'
export const documentChanges = 'We share less with others.'

const url = 'http://localhost:3000/privacy'
const common = { hash: null, requiredFrom: '2026-01-01T10:00:00Z', postponableUntil: '2026-05-01T10:00:00Z' }
const changed = {
  ...common,
  id: 'privacy',
  version: '2',
  title: documentTitle,
  url,
  changes: documentChanges,
  acceptedVersion: '1',
}
const isNew = { ...changed, changes: null, acceptedVersion: null }

/** A sign-in that waits. */
function preparePending(document: object = changed, postpone = true): void {
  prepareResponse('/terms/pending*', { email: ada.email, documents: [document], postpone, expiresIn: 1800 })
}

/** What a page shows only to some users: without it, the page leads elsewhere. */
export const termsPreparations: Readonly<Record<string, () => void>> = {
  '/terms': preparePending,
  '/terms/declined': preparePending,
  '/terms/delete-account': preparePending,
}

const opens =
  (path: string, heading: string, document?: object, postpone?: boolean): Lead =>
  async (page) => {
    preparePending(document, postpone)
    await page.goto(new URL(path, page.url()).href)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }

const version = { id: 'privacy', version: '2', title: documentTitle, requiredFrom: common.requiredFrom, hash: null, url }
const status = {
  users: 1200,
  versions: [
    { ...version, state: 'in-force', accepted: 800, postponed: 100, outstanding: 300, deleted: 2 },
    { ...version, version: '1', url: null, state: 'former', accepted: 1100, postponed: 0, outstanding: null, deleted: 20 },
  ],
}
const acceptance = { document: 'privacy', version: '1', hash: null, acceptedAt: '2026-01-01T10:00:00Z', ipAddress: '192.0.2.10' }

export const termsStates: States = {
  '/terms': {
    'a changed version': opens('/terms', 'Our terms have changed'),
    'a first version': opens('/terms', 'Accept the terms', isNew, false),
  },
  '/terms/declined': {
    declined: opens('/terms/declined', 'You declined the terms'),
    'link sent': opens('/terms/declined?sent=true', 'You declined the terms'),
  },
  '/terms/delete-account': { 'with a link': opens('/terms/delete-account?token=unknown', 'Delete your account?') },
  '/account/terms': {
    accepted: withResponse('/terms/acceptances', 200, { acceptances: [{ ...acceptance, device: null }] }, '192.0.2.10'),
    'load error': loadError('/terms/acceptances'),
  },
  '/admin/terms': {
    counts: withResponse('/admin/terms', 200, status, 'In force'),
    'load error': loadError('/admin/terms'),
  },
}
