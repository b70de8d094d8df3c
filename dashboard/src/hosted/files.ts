/** The built files that a hosted page names. */
export interface Files {
  readonly style: string
  /** The same, with the marks of providers. */
  readonly styleWithMarks: string
  readonly script: string
  readonly icon: string
}
