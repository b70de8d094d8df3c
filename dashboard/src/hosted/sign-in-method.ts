/** A sign-in method on the sign-in page, which lists the declared ones in their order. */
import type { ComponentType } from 'react'
import type { PublicSettings } from '../../../src/features/index.ts'
import type { FormDeclaration } from './page.ts'

/** What a user can be found by. A method that needs none of them is on the first step of a page with the identifier first. */
export type IdentifierKind = 'email' | 'username' | 'phone'

export interface MethodProps {
  /** On the second step of a page with the identifier first: what was typed, empty until the script writes it. */
  readonly identifier?: string | undefined
  /** Whether it is the first method of this step. */
  readonly isFirst?: boolean
}

export interface SignInMethod {
  /** Of the methods that the server declares: the names that it is for, for the configured order. */
  readonly names: readonly string[]
  /** Without a configured order. */
  readonly order: number
  /** A line with "or" stands between forms and buttons. */
  readonly kind: 'form' | 'button'
  readonly exists: (settings: PublicSettings) => boolean
  /** What it accepts on the second step; absent: it needs no identifier. */
  readonly identifiers?: (settings: PublicSettings) => readonly IdentifierKind[]
  /** Whether it is the method that was used last in this browser, by the name of its form. */
  readonly isLast: (lastMethod: string, settings: PublicSettings) => boolean
  readonly forms: readonly FormDeclaration[]
  readonly View: ComponentType<MethodProps>
  /** What follows "Continue as Ann", such as "with your passkey". */
  readonly phrase: (locale: string, lastMethod: string, settings: PublicSettings) => string
}

/** @param lastMethod comes first; null: none does @returns the enabled ones, in the configured order */
export function orderMethods(
  methods: readonly SignInMethod[],
  settings: PublicSettings,
  lastMethod: string | null,
): readonly SignInMethod[] {
  const { order } = settings.signIn
  const place = (method: SignInMethod): number => {
    if (lastMethod !== null && method.isLast(lastMethod, settings)) return -1
    const places = method.names.map((name) => order.indexOf(name)).filter((at) => at >= 0)
    return places.length > 0 ? Math.min(...places) : order.length + method.order
  }
  return methods.filter(({ exists }) => exists(settings)).toSorted((one, other) => place(one) - place(other))
}
