/** Stories of notes, errors, code, empty and loading states. */
import { Inbox, SearchX } from 'lucide-react'
import { ClientError } from '../api/calls.ts'
import { Button } from '../components/button.tsx'
import { Differences } from '../components/differences.tsx'
import {
  CodeBlock,
  CopyButton,
  ErrorNote,
  LoadError,
  Note,
  Placeholder,
  Skeleton,
  UnavailablePage,
} from '../components/feedback.tsx'
import { Bar, DetailSkeleton, LinesSkeleton, Loading, Pending, TableSkeleton } from '../components/skeleton.tsx'
import { Updated } from '../components/updated.tsx'
import { longText, type Story } from './story.ts'

const failed = new ClientError(500, 'INTERNAL_SERVER_ERROR', 'Internal', { requestId: '01K9Z4T7M2QH8VX5W3' })
const limited = new ClientError(429, 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER', 'Too many', { retryAfter: 65 })
const unknown = new ClientError(422, 'SEATS_EXHAUSTED', 'A plugin says that all seats are taken.')
const offline = new TypeError('Failed to fetch')
const retry = () => undefined
const columns = [{ label: 'Member' }, { label: 'Role' }, { label: 'Joined', isWideOnly: true }]
const all = { hasActions: true, isSelectable: true, hasPages: true }

export const feedback: readonly Story[] = [
  {
    component: 'Note',
    states: Object.fromEntries(
      (['neutral', 'info', 'success', 'warning', 'danger'] as const).map((tone) => [
        tone,
        <Note key={tone} tone={tone} title="The password is changed">
          {tone === 'neutral' ? longText : 'All other sessions are revoked.'}
        </Note>,
      ]),
    ),
  },
  {
    component: 'ErrorNote',
    states: {
      'with a request ID': <ErrorNote error={failed} />,
      'rate limited': <ErrorNote error={limited} />,
      offline: <ErrorNote error={offline} />,
      'an unknown code': <ErrorNote error={unknown} />,
    },
  },
  {
    component: 'Differences',
    states: {
      'of metadata': (
        <Differences
          differences={[
            { path: 'plan', kind: 'changed', before: 'free', after: longText },
            { path: 'billing.vat', kind: 'added', before: undefined, after: 'ATU12345678' },
            { path: 'tags', kind: 'removed', before: ['a', 'b'], after: undefined },
          ]}
        />
      ),
    },
  },
  {
    component: 'LoadError',
    states: {
      'with a request ID': <LoadError error={failed} retry={retry} />,
      'rate limited': <LoadError error={limited} retry={retry} />,
      offline: <LoadError error={offline} retry={retry} />,
    },
  },
  {
    component: 'Placeholder',
    states: {
      'first use': (
        <Placeholder icon={Inbox} title="No emails yet" actions={<Button variant="primary">Sign up</Button>}>
          Emails appear here.
        </Placeholder>
      ),
      'no results': (
        <Placeholder icon={SearchX} title={longText} actions={<Button>Clear the search</Button>}>
          {longText}
        </Placeholder>
      ),
    },
  },
  {
    component: 'UnavailablePage',
    states: {
      'not found': (
        <UnavailablePage icon={SearchX} title="User not found" link={['/', 'All users']}>
          There is no user with this ID.
        </UnavailablePage>
      ),
    },
  },
  { component: 'Skeleton', states: { normal: <Skeleton /> } },
  { component: 'Bar', states: { normal: <Bar /> } },
  { component: 'Loading', states: { normal: <Loading>{longText}</Loading> } },
  {
    component: 'TableSkeleton',
    states: { 'with all parts': <TableSkeleton columns={columns} icon="circle" {...all} rows={3} /> },
  },
  { component: 'LinesSkeleton', states: { normal: <LinesSkeleton count={2} /> } },
  {
    component: 'DetailSkeleton',
    states: { 'with tabs': <DetailSkeleton tabs={3} />, 'of an organization': <DetailSkeleton shape="square" /> },
  },
  {
    component: 'Pending',
    states: { loading: <Pending error={null} retry={retry} />, failed: <Pending error={failed} retry={retry} heading="h3" /> },
  },
  { component: 'Updated', states: { now: <Updated at={Date.now()} />, 'an hour ago': <Updated at={Date.now() - 3_600_000} /> } },
  {
    component: 'CopyButton',
    states: {
      'icon only': <CopyButton text="01K9Z4T7M2QH8VX5W3" label="Copy the ID" />,
      'with its text': <CopyButton text="01K9Z4T7M2QH8VX5W3" label="Copy the ID" isVisible />,
      'with a long text': <CopyButton text={longText} label="Copy the name" isVisible />,
    },
  },
  {
    component: 'CodeBlock',
    states: {
      normal: <CodeBlock label="Install the client" copyLabel="Copy the code" code="npm install better-auth@1.2.12" />,
      'with a long line': <CodeBlock label="Command" copyLabel="Copy the code" code={`latchkey ${'x'.repeat(200)}`} />,
    },
  },
]
