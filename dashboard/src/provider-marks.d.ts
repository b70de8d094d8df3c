/** Made by `provider-marks.ts` of the build. */
declare module 'virtual:provider-marks' {
  /** URL of a file of SVG symbols. */
  export const url: string
  /** IDs of its symbols: providers that have a mark. */
  export const ids: readonly string[]
}
