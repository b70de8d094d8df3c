/** What pages know before sign-in: the public settings of all features. */
import { z } from 'zod'
import type { PublicSettings } from '../features/index.ts'
import type { App } from './app.ts'
import type { Feature } from './feature.ts'

export const publicSettingsSchema = (features: readonly Feature[]): z.ZodType<PublicSettings> =>
  // The shape is built from data, so the compiler cannot check that it matches the type.
  z.object(
    Object.assign({}, ...features.map(({ publicSettings }) => publicSettings?.shape)),
  ) as unknown as z.ZodType<PublicSettings>

/** @throws ZodError when a feature returns other values than it declares */
export const readPublicSettings = ({ features, config }: Pick<App, 'features' | 'config'>): PublicSettings =>
  publicSettingsSchema(features).parse(
    Object.assign({}, ...features.map(({ publicSettings }) => publicSettings?.read(config, features))),
  )
