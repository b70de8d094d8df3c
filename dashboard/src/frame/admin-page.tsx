/** Pages of administration that show the response of one call, in all states of that. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { ClientError } from '../api/calls.ts'
import { LoadError, UnavailablePage } from '../components/feedback.tsx'
import { PageHead } from '../components/layout.tsx'
import { Loaded, type LoadedProps } from '../components/list.tsx'
import { Updated } from '../components/updated.tsx'
import { useFrameMessages } from '../messages/index.ts'
import { NotPermitted } from './admin-frame.tsx'

interface Props<T> extends Omit<LoadedProps<T>, 'query'> {
  readonly title: string
  readonly lead: ReactNode
  readonly query: LoadedProps<T>['query'] & Pick<UseQueryResult<T>, 'dataUpdatedAt'>
  /** At the end of the head. */
  readonly actions?: ReactNode
  /** Between the head and the content; shown while that loads. */
  readonly controls?: ReactNode
  /** Places the content next to others, which are shown while it loads. */
  readonly arrange?: (content: ReactNode) => ReactNode
}

export function AdminPage<T>({ title, lead, actions, controls, arrange = (content) => content, ...loaded }: Props<T>) {
  const { error, dataUpdatedAt } = loaded.query
  if (error instanceof ClientError && error.status === 403) return <NotPermitted />
  return (
    <>
      <PageHead title={title} actions={actions}>
        {lead} <Updated at={dataUpdatedAt} />
      </PageHead>
      {controls}
      {arrange(<Loaded {...loaded} />)}
    </>
  )
}

interface DetailProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  /** In place of something that does not exist. */
  readonly notFound: ComponentProps<typeof UnavailablePage>
  readonly skeleton: ReactNode
  readonly children: (data: T) => ReactNode
}

/** The page of one thing. */
export function AdminDetail<T>({ query: { data, error, refetch }, notFound, skeleton, children }: DetailProps<T>) {
  if (error instanceof ClientError && error.status === 403) return <NotPermitted />
  if (error instanceof ClientError && error.status === 404) return <UnavailablePage {...notFound} />
  if (data !== undefined) return children(data)
  return error ? <LoadError heading="h1" error={error} retry={() => void refetch()} /> : skeleton
}

interface BreadcrumbProps {
  /** The list with the thing. */
  readonly to: string
  readonly list: string
  /** The name of the thing. */
  readonly children: ReactNode
}

export function Breadcrumb({ to, list, children }: BreadcrumbProps) {
  const t = useFrameMessages()
  return (
    <nav aria-label={t('breadcrumb')} className="mb-4 flex items-center gap-1.5 text-13 text-muted">
      <Link to={to} className="rounded-sm py-0.5 hover:text-text hover:underline">
        {list}
      </Link>
      <ChevronRight aria-hidden className="size-3.5 shrink-0 rtl:rotate-180" />
      <bdi className="truncate">{children}</bdi>
    </nav>
  )
}
