/** Who may sign up, by the configuration. */
import { Card, Facts, Section } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import type { Policy } from './data.ts'
import { policyMessages } from './policy-messages.ts'

const modes = {
  open: 'signUpOpen',
  invite: 'signUpInvite',
  'waiting-list': 'signUpWaitingList',
  closed: 'signUpClosed',
} as const

export function SignUpRules({ signUp }: Pick<Policy, 'signUp'>) {
  const t = useMessages(policyMessages)
  const { format } = useLocale()
  const { mode, allow, block, disposable, oneMailbox, invitationsPass } = signUp
  const date = disposable && format.date(new Date(disposable.date))
  return (
    <Section title={t('signUp')}>
      <Card className="px-4 card:px-5">
        <Facts
          facts={[
            [t('signUpMode'), t(modes[mode])],
            [t('allowed'), allow === null ? t('everyAddress') : t('entries', { count: allow })],
            [t('blocked'), block === 0 ? t('nothing') : t('entries', { count: block })],
            [
              t('disposable'),
              disposable === null || date === null
                ? t('allowed')
                : t('disposableBlocked', { domains: format.number(disposable.domains), date }),
            ],
            [t('oneMailbox'), t(oneMailbox ? 'isOn' : 'isOff')],
            [t('invitations'), t(invitationsPass ? 'invitationsPass' : 'invitationsDoNot')],
          ]}
        />
      </Card>
    </Section>
  )
}
