/** The sign-in policy: how users sign in, which rules demand a second factor, and whom they concern. It changes nothing. */
import { useQuery } from '@tanstack/react-query'
import { Note } from '../../components/feedback.tsx'
import { Card, Time } from '../../components/layout.tsx'
import { Bar, Loading } from '../../components/skeleton.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { type Policy, policyQuery } from './data.ts'
import { messages } from './index.ts'
import { Adoption, Challenges, OneMethod, Registrations, SignInsByMethod } from './policy-figures.tsx'
import { policyMessages } from './policy-messages.ts'
import { Options, Rules } from './policy-rules.tsx'
import { SignUpRules } from './policy-sign-up.tsx'

export function Screen() {
  const t = useMessages(messages)
  const p = useMessages(policyMessages)
  return (
    <AdminPage title={t('signInPolicy')} lead={p('lead')} query={useQuery(policyQuery)} skeleton={<PolicySkeleton />}>
      {(policy) => <PolicyParts policy={policy} />}
    </AdminPage>
  )
}

const grid = 'grid grid-cols-[minmax(0,1fr)] gap-4 console:grid-cols-2 wide:grid-cols-6'

function PolicyParts({ policy }: { readonly policy: Policy }) {
  const t = useMessages(policyMessages)
  const { users, twoFactor, passkeys } = policy
  return (
    <>
      {users ? (
        <p className="mb-4 text-13 text-muted">
          {t('countedAt')} <Time value={users.countedAt} />
        </p>
      ) : (
        <div className="mb-4 max-w-160">
          <Note tone="info">{t('notCounted')}</Note>
        </div>
      )}
      <div className="mb-8">
        <Rules twoFactor={twoFactor} />
      </div>
      <div className="mb-8">
        <SignUpRules signUp={policy.signUp} />
      </div>
      <div className={grid}>
        <SignInsByMethod policy={policy} />
        {users ? <Adoption policy={policy} users={users} /> : null}
        {users ? <OneMethod users={users} /> : null}
        {twoFactor ? <Challenges policy={policy} /> : null}
        {passkeys ? <Registrations policy={policy} /> : null}
      </div>
      {twoFactor ? (
        <div className="mt-8">
          <Options twoFactor={twoFactor} />
        </div>
      ) : null}
    </>
  )
}

const PolicySkeleton = () => (
  <Loading>
    <div className={grid}>
      {['rules', 'methods', 'adoption', 'one'].map((part) => (
        <Card key={part} className="flex h-64 flex-col p-4 card:px-5 wide:col-span-3">
          <Bar className="mt-1" />
          <Bar className="mt-3.5 h-5 w-32" />
          <span className="pulse mt-auto mb-4 h-28 rounded-control bg-fill" />
        </Card>
      ))}
    </div>
  </Loading>
)
