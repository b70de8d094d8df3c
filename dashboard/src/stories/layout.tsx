/** Stories of heads, sections, cards, lists, facts, tags, avatars and times. */
import { Monitor } from 'lucide-react'
import { Avatar } from '../components/avatar.tsx'
import { Button } from '../components/button.tsx'
import { Card, EmailTag, Facts, IconTile, Line, Lines, PageHead, Section, Setting, Tag, Time } from '../components/layout.tsx'
import { ProviderMark } from '../components/provider-mark.tsx'
import { longText, type Story } from './story.ts'

const icon = (
  <IconTile>
    <Monitor className="size-4" />
  </IconTile>
)
const revoke = <Button variant="danger">Revoke</Button>
const lines = (
  <Lines>
    <Line title="MacBook Pro" icon={icon} action={revoke}>
      Chrome 142 on macOS
    </Line>
    <Line title={longText} icon={icon} action={revoke}>
      {longText}
    </Line>
    <Line title="Without icon and action" />
  </Lines>
)
const facts = [
  ['Name', 'Ada'],
  ['Organization', longText],
  ['Created', <Time key="created" value="2026-05-01T10:00:00Z" style="dateTime" />],
] as const
const minutes = (count: number) => new Date(Date.now() - count * 60_000)

export const layout: readonly Story[] = [
  {
    component: 'ProviderMark',
    states: {
      'of brands, and a letter': (
        <div className="flex items-center gap-3">
          {['GitHub', 'Google', 'Acme', 'élan'].map((name) => (
            <ProviderMark key={name} id={name.toLowerCase()} name={name} />
          ))}
        </div>
      ),
    },
  },
  {
    component: 'PageHead',
    states: {
      normal: <PageHead title="Sessions">Devices that are signed in.</PageHead>,
      'with a long title and an action': (
        <PageHead title={longText} actions={revoke}>
          {longText}
        </PageHead>
      ),
    },
  },
  {
    component: 'Section',
    states: {
      normal: (
        <Section title="Other sessions" detail={4} description="Signed in elsewhere." actions={revoke}>
          <p>Content</p>
        </Section>
      ),
      danger: (
        <Section title="Delete account" isDanger>
          <p>Content</p>
        </Section>
      ),
    },
  },
  {
    component: 'Setting',
    states: {
      normal: (
        <Setting title="Password" description="Choose one that you use nowhere else.">
          <Card>{lines}</Card>
        </Setting>
      ),
      'danger, with long texts': (
        <Setting title={longText} description={longText} isDanger>
          <Card>{lines}</Card>
        </Setting>
      ),
    },
  },
  { component: 'Card', states: { normal: <Card className="p-4">Content</Card> } },
  { component: 'Lines', states: { normal: lines } },
  { component: 'Line', states: { normal: lines } },
  { component: 'Facts', states: { normal: <Facts facts={facts} />, narrow: <Facts facts={facts} isNarrow /> } },
  {
    component: 'Tag',
    states: {
      'all tones': (
        <div className="flex flex-wrap gap-2">
          {(['neutral', 'accent', 'brass', 'danger', 'success'] as const).map((tone) => (
            <Tag key={tone} tone={tone}>
              {tone}
            </Tag>
          ))}
        </div>
      ),
    },
  },
  {
    component: 'EmailTag',
    states: { verified: <EmailTag isVerified />, unverified: <EmailTag isVerified={false} /> },
  },
  {
    component: 'Avatar',
    states: {
      'of one word, of many, and without a name': (
        <div className="flex flex-wrap items-center gap-2">
          <Avatar name="Ada" />
          <Avatar name={longText} isLarge />
          <Avatar name="" />
          {['Ida', 'Tobias', 'Nandini', 'Soraya', 'Kwabena', 'Wei-Ting', 'Pilar', 'Ivo'].map((name) => (
            <Avatar key={name} name={name} />
          ))}
          <Avatar name="Halden Ferry" isSquare />
        </div>
      ),
    },
  },
  { component: 'IconTile', states: { normal: icon } },
  {
    component: 'Time',
    states: {
      'now, minutes, hours, days and months ago': (
        <ul>
          {[0, 5, 180, 3000, 90_000].map((count) => (
            <li key={count}>
              <Time value={minutes(count)} />
            </li>
          ))}
        </ul>
      ),
      'date, and date with time': (
        <p>
          <Time value="2026-05-01T10:00:00Z" style="date" />, <Time value="2026-05-01T10:00:00Z" style="dateTime" />
        </p>
      ),
    },
  },
]
