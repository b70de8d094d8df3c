/** Moves the users of other systems to Latchkey. */
import { z } from 'zod'
import { group } from '../../core/config.ts'

export { type BackCounts, moveBack } from './better-auth/back.ts'
export { discardChanges, findChanges, latestTimes } from './better-auth/changes.ts'
export { checkMove, type KindCheck } from './better-auth/check.ts'
export { configText } from './better-auth/config-text.ts'
export type { KindCounts, LeftRow } from './better-auth/copy.ts'
export { type AuthOptions, type Derived, derive } from './better-auth/derived.ts'
export { type ConflictChoice, findDuplicates } from './better-auth/duplicates.ts'
export {
  createMoveTables,
  dropMoveTables,
  findMove,
  type Move,
  type MoveDetails,
  writeMove,
} from './better-auth/entries.ts'
export { type Facts, findWrongSecret, readFacts } from './better-auth/facts.ts'
export type { MoveSettings } from './better-auth/kind.ts'
export { type Mapping, mappingOf, type Recognized, recognize } from './better-auth/recognition.ts'
export { type RunOptions, runAll } from './better-auth/run.ts'
export { columnsOfShape, type KindName } from './better-auth/shapes.ts'
export type { SourceDatabase, SourceReference, SourceRow, SourceTable } from './better-auth/source.ts'
export { hasNumberIds, pageIds } from './better-auth/source-pages.ts'
export { createViews, type View } from './better-auth/views.ts'
export { isWaitingForMove } from './better-auth/waiting.ts'
export type { MovedUser, MoveOptions } from './prepare-user.ts'
export {
  isSourceError,
  type SourceFile,
  type SourceItem,
  type SystemName,
} from './readers/index.ts'
export { type AppKey, orphanQuery, readDefinition, tableOf } from './same-schema/app-keys.ts'
export { orderKeys, settle } from './same-schema/definitions.ts'
export {
  type OwnNames,
  type PlanDocument,
  planDocument,
  planSameSchema,
  renamedMapping,
  renameStatement,
  reverseStatement,
  type SameSchemaPlan,
} from './same-schema/plan.ts'
export { hasPrefixedTables, settlePrefix } from './same-schema/prefix.ts'
export { linesOf, type MoveLine, type PlacedNote, type Survey, surveyUsers } from './survey.ts'
export { findFieldFault } from './taken-metadata.ts'

export const config = {
  move: group('Moving from another system', {
    wait: z.boolean().default(false).describe('Answer 503 until a move is final; `latchkey start --wait-for-move` sets it'),
    trial: z
      .boolean()
      .default(false)
      .describe(
        'Keep the way back to better-auth open, for days: new passwords, API keys and sessions are stored so that it understands them. A changed value needs a migration',
      ),
  }),
}

export const auditActions = {
  'move.started':
    'A move from another system started to write; `source` is its kind, `verifyEmails` whether all email addresses are marked as verified',
  'move.completed': 'A move from another system was completed: Latchkey serves from then on. With counts',
}
