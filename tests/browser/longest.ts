/** The longest words that pages show: those of the catalogues, and names that users may have. */
import type { Feature } from '../../src/core/feature.ts'
import { featureList } from '../../src/features/index.ts'

const features: readonly Feature[] = Object.values(featureList)
const longestOf = (words: readonly string[]): string =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
const keysOf = (read: (feature: Feature) => object | undefined) => features.flatMap((each) => Object.keys(read(each) ?? {}))

/** The longest code of the error catalogue. */
export const longestCode = longestOf(keysOf(({ errors }) => errors))
export const longestAction = longestOf(keysOf(({ auditActions }) => auditActions))
export const longestRoute = longestOf(keysOf(({ routes }) => routes))

/** Without a place where a line may break. */
export const longestName = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft'
export const longestAddress = '2001:0db8:85a3:0000:0000:8a2e:0370:7334'
