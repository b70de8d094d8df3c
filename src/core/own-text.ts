/** Texts of the operator in place of those of Latchkey, as pages and emails use them: they are read and checked at start. */

/** One text: as it is, or by the number that it contains. */
export interface OwnText {
  /** `{name}`: a value. */
  readonly text?: string
  readonly forms?: {
    /** The value whose number chooses the form. */
    readonly by: string
    /** `#`: the number. */
    readonly texts: { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>
  }
  /** How values are written, by name: functions of `Format`, such as `date`. */
  readonly formats?: Readonly<Record<string, string>>
}

/** By locale and key. */
export type OwnTexts = Readonly<Record<string, Readonly<Record<string, OwnText>>>>
