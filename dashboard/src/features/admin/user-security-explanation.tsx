/** What the next sign-in of a user demands, and why. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField } from '../../components/field.tsx'
import { Card, Line, Lines } from '../../components/layout.tsx'
import { LinesSkeleton, Pending } from '../../components/skeleton.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useProviderName } from './filters.tsx'
import { explanationQuery, messages, type Step } from './user-security-data.ts'
import { methodOf, methodWord, reasonWord, resultWord, stepWord } from './user-security-words.ts'

interface Props {
  readonly userId: string
  readonly name: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ExplanationDialog({ userId, name, isOpen, onClose }: Props) {
  const t = useMessages(messages)
  const providerName = useProviderName()
  const [method, setMethod] = useState('')
  // All methods are in the explanation of the first one.
  const { data: all } = useQuery({ ...explanationQuery(userId, ''), enabled: isOpen })
  const { data, error, refetch } = useQuery({ ...explanationQuery(userId, method), enabled: isOpen })
  const usable = all?.steps.flatMap((step) => (step.result === 'available' ? (methodOf(step) ?? []) : [])) ?? []
  return (
    <Dialog
      isWide
      isOpen={isOpen}
      onClose={onClose}
      title={t('explainTitle', { name })}
      description={t('explainText')}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <SelectField
        label={t('method')}
        value={method}
        options={[
          { value: '', label: t('firstMethod') },
          ...usable.map((value) => ({ value, label: methodWord(t, value, providerName) })),
        ]}
        onChange={({ target }) => setMethod(target.value)}
      />
      {data ? (
        <Card>
          <Lines>
            {data.steps.map((step) => (
              <StepLine key={step.step} step={step} />
            ))}
          </Lines>
        </Card>
      ) : (
        <Pending heading="h3" error={error} retry={() => void refetch()}>
          <LinesSkeleton count={5} />
        </Pending>
      )}
    </Dialog>
  )
}

function StepLine({ step }: { readonly step: Step }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const providerName = useProviderName()
  const result = step.step === 'rule-due' ? format.dateTime(new Date(step.result)) : resultWord(t, step)
  return (
    <Line title={stepWord(t, step, providerName)} action={<span className="font-medium wrap-anywhere">{result}</span>}>
      {reasonWord(t, step)}
    </Line>
  )
}
