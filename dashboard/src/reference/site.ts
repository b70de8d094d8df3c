/** What every page of the reference has around it. */
import { createContext, use } from 'react'
import type { ReferenceRequest, ReferenceSite } from '../../../src/core/hosted.ts'
import type { ErrorRow, Group, OpenAPI } from './document.ts'

export interface Reference extends Omit<ReferenceSite, 'document'> {
  readonly document: OpenAPI
  readonly groups: readonly Group[]
  readonly shared: readonly ErrorRow[]
  readonly sharedCodes: ReadonlySet<string>
  readonly files: { readonly style: string; readonly script: string; readonly icon: string }
  readonly request: ReferenceRequest
}

const Context = createContext<Reference | null>(null)
export const ReferenceProvider = Context

export function useReference(): Reference {
  const reference = use(Context)
  if (!reference) throw new Error('There is no page around this component')
  return reference
}

/** Names of the pages that are not groups of calls. */
export const overviewName = ''
export const objectsName = 'objects'
