/** The finding of a check in a sentence. */
import { useLocale, useMessages } from '../../i18n/messages.ts'
import type { Health } from './data.ts'
import { systemMessages } from './system-messages.ts'

type Check = Health['checks'][number]

/** @returns a function that says what a check found */
export function useSentence(): (check: Check) => string {
  const t = useMessages(systemMessages)
  const { format } = useLocale()
  return ({ id, message, values }) => {
    const value = (name: string): string => {
      const found = values[name] ?? ''
      return typeof found === 'number' ? format.number(found) : found
    }
    const sentences: Record<Check['message'], () => string> = {
      responds: () => t('responds', { latencyMs: value('latencyMs') }),
      slow: () => t('slow', { latencyMs: value('latencyMs') }),
      'no-response': () => t('noResponse'),
      'read-only': () => t('readOnly'),
      'pool-full': () => t('poolFull', { waiting: value('waiting'), size: value('size') }),
      'not-configured': () => t(id === 'redis' ? 'redisNotConfigured' : 'mailNotConfigured'),
      evicts: () => t('evicts', { memoryPolicy: value('memoryPolicy') }),
      delivers: () => t('delivers', { waiting: value('waiting') }),
      caught: () => t('caught'),
      'failed-emails': () => t('failedEmails', { failed: value('failed') }),
      failing: () => t('failing', { failed: value('failed') }),
      unnumbered: () => t('unnumbered', { events: value('events') }),
      delayed: () => t('delayed', { waiting: value('waiting') }),
      'on-time': () => t('onTime'),
      'failed-jobs': () => t('failedJobs', { failed: value('failed') }),
      late: () => t('lateJobsHealth', { late: value('late') }),
      intact: () => t('auditIntact', { events: value('events') }),
      unverified: () => t('auditUnverified'),
      broken: () => t('auditBroken', { problems: value('problems') }),
      current: () => t(id === 'configuration' ? 'configurationCurrent' : 'migrationsCurrent'),
      pending: () => t('migrationsPending', { pending: value('pending') }),
      drifted: () => t('migrationsDrifted'),
      alike: () => t('daemonsAlike', { daemons: value('daemons') }),
      deleting: () =>
        t('deletionsLeft', {
          organizations: value('organizations'),
          members: value('members'),
          users: value('users'),
          events: value('events'),
        }),
      different: () => t('daemonsDiffer', { daemons: value('daemons'), parts: value('parts') }),
      changed: () => t('configurationChanged'),
    }
    return sentences[message]()
  }
}
