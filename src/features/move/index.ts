/** Moves users in from other systems. */
export type { MovedUser, MoveOptions } from './prepare-user.ts'
export {
  formatOf,
  isSourceError,
  meanings,
  presets,
  reasons,
  type SourceFile,
  type SourceItem,
  type SystemName,
  systems,
} from './readers/index.ts'
export { linesOf, type MoveLine, type PlacedNote, type Survey, surveyUsers } from './survey.ts'
export { findFieldFault } from './taken-metadata.ts'
