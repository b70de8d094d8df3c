/** What a folder of stories declares. */
import type { ReactNode } from 'react'

export interface Story {
  /** The exported name. */
  readonly component: string
  /** Names of states, with the component in this state. */
  readonly states: Readonly<Record<string, ReactNode>>
}

/** Longer than what fits, with a word that is wider than a phone. */
export const longText =
  'Halden Ferry Lines and Harbour Services of the Northern Archipelago, department Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung'
