/** A sign-in method on the sign-in page, which lists the declared ones in their order. */
import type { ComponentType } from 'react'
import type { PublicSettings } from '../../../src/features/index.ts'
import type { FormDeclaration } from './page.ts'

export interface SignInMethod {
  readonly order: number
  /** Forms come first; a line with "or" stands between the last form and the first button. */
  readonly kind: 'form' | 'button'
  readonly exists: (settings: PublicSettings) => boolean
  readonly forms: readonly FormDeclaration[]
  readonly View: ComponentType
}
