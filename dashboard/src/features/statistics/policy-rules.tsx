/** The rules of the configuration that demand a second factor, with whom they concern, and what it says of second factors. */
import { KeyRound } from 'lucide-react'
import { CodeBlock, Placeholder } from '../../components/feedback.tsx'
import { Card, Facts, Section } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import type { Policy } from './data.ts'
import { Steps } from './funnels.tsx'
import { policyMessages } from './policy-messages.ts'
import { useFactorName } from './policy-words.ts'

type TwoFactor = NonNullable<Policy['twoFactor']>
type Rule = TwoFactor['rules'][number]

const rulesExample = `twoFactor: {
  required: [
    { roles: ['admin'], graceDays: 0 },
    { everyone: true, graceDays: 14 },
  ],
},`
const offExample = `twoFactor: {
  issuer: 'Acme',
  required: [{ roles: ['admin'], graceDays: 0 }],
},`

export function Rules({ twoFactor }: Pick<Policy, 'twoFactor'>) {
  const t = useMessages(policyMessages)
  const rules = twoFactor?.rules ?? []
  return (
    <Section title={t('rules')}>
      {rules.length > 0 ? (
        <ul className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 console:grid-cols-2">
          {rules.map((rule) => (
            <li key={rule.name}>
              <RuleCard rule={rule} />
            </li>
          ))}
        </ul>
      ) : (
        <Card>
          <Placeholder icon={KeyRound} title={t(twoFactor ? 'noRules' : 'off')} heading="h3">
            <p className="mb-3">{t(twoFactor ? 'noRulesText' : 'offText')}</p>
            <CodeBlock
              code={twoFactor ? rulesExample : offExample}
              label={t('configuration')}
              copyLabel={t('copyConfiguration')}
            />
          </Placeholder>
        </Card>
      )}
    </Section>
  )
}

function RuleCard({ rule: { roles, methods, counts, trustedDevices, apiKeys, ...rule } }: { readonly rule: Rule }) {
  const t = useMessages(policyMessages)
  const { format } = useLocale()
  const nameOf = useFactorName()
  const latest = rule.latest === null ? [] : [t('latest', { date: format.date(new Date(rule.latest)) })]
  const grace = rule.graceDays === 0 ? [t('noGrace')] : [t('graceDays', { count: rule.graceDays }), ...latest]
  return (
    <Card className="p-4 card:px-5">
      <h3 className="mb-3 text-14 wrap-anywhere">
        {roles ? t('roles', { roles: roles.join(', '), count: roles.length }) : t(rule.name === 'moved' ? 'moved' : 'everyone')}
      </h3>
      {counts ? (
        <Steps
          steps={[
            { name: t('isFor'), count: counts.users },
            { name: t('satisfied'), count: counts.satisfied, tone: 'success' },
            { name: t('inGrace'), count: counts.grace, tone: 'info' },
            { name: t('due'), count: counts.due, tone: 'brass' },
          ]}
        />
      ) : (
        <p className="text-13 text-muted">{t('notCountedRule')}</p>
      )}
      <div className="mt-4 border-t border-border">
        <Facts
          isNarrow
          facts={[
            [t('accepted'), methods.map(nameOf).join(', ')],
            [t('grace'), grace.join(', ')],
            [t('trust'), t(trustedDevices ? 'allowed' : 'notAllowed')],
            [t('keys'), t(apiKeys ? 'keysWork' : 'keysEnd')],
          ]}
        />
      </div>
    </Card>
  )
}

const dayS = 86_400
const minuteS = 60

export function Options({ twoFactor }: { readonly twoFactor: TwoFactor }) {
  const t = useMessages(policyMessages)
  const nameOf = useFactorName()
  const { methods, trustDeviceMaxAge, stepUpMaxAge, trustProviders, organizations } = twoFactor
  const trusted = trustProviders.map(({ id, amr }) => (amr === null ? id : t('providerIf', { provider: id, amr })))
  const required = organizations?.required ?? null
  return (
    <Section title={t('options')}>
      <Card className="px-4 card:px-5">
        <Facts
          facts={[
            [t('methods'), methods.length > 0 ? methods.map(nameOf).join(', ') : t('nothing')],
            [
              t('trust'),
              trustDeviceMaxAge === 0 ? t('isOff') : t('trustDays', { count: Math.max(1, Math.round(trustDeviceMaxAge / dayS)) }),
            ],
            [
              t('stepUp'),
              stepUpMaxAge === null ? t('isOff') : t('stepUpMinutes', { count: Math.max(1, Math.round(stepUpMaxAge / minuteS)) }),
            ],
            [t('providers'), trusted.length > 0 ? trusted.join('; ') : t('nothing')],
            [
              t('organizations'),
              organizations === null
                ? t('organizationsMayNot')
                : required === null
                  ? t('organizationsMay')
                  : t('organizationsRequire', { count: required }),
            ],
          ]}
        />
      </Card>
    </Section>
  )
}
