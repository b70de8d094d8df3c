/** The page about the system: one heading, with a tab for each of health, jobs, migrations and configuration. */
import type { ComponentProps } from 'react'
import { Tabs } from '../../components/tabs.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useTitledEntries } from '../../session/permissions.ts'
import { messages } from './index.ts'

interface Props<T> extends Omit<ComponentProps<typeof AdminPage<T>>, 'title' | 'controls'> {
  readonly path: string
}

export function SystemPage<T>({ path, ...page }: Props<T>) {
  const t = useMessages(messages)
  const { locale } = useLocale()
  const tabs = useTitledEntries('admin').filter(({ navigation }) => navigation.tabOf === 'system')
  const controls = (
    <Tabs
      label={t('system')}
      tabs={tabs.map((tab) => ({ label: tab.label(locale), to: tab.path, isCurrent: tab.path === path }))}
    />
  )
  return <AdminPage {...page} title={t('system')} controls={controls} />
}
