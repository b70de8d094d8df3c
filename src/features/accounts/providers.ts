import { ApiError, type ErrorEntry } from '../../core/errors.ts'

/**
 * The provider with this id. No configuration can name one yet, so there is none.
 * @param otherwise what the caller is told of one that is not configured, which is another thing in each call
 * @throws ApiError
 */
export function getProvider(id: string, otherwise: (id: string) => ErrorEntry): never {
  throw new ApiError(otherwise(id))
}
