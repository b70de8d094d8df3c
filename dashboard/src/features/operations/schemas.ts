import { z } from 'zod'

/** The client that has to wait: an IP address, an account, or both. */
export const limitLookUp = z
  .object({
    account: z.string().max(320, 'PAYLOAD_TOO_LARGE'),
    address: z
      .string()
      .max(64, 'PAYLOAD_TOO_LARGE')
      .refine((text) => text.trim() === '' || /^[\d.]+$|^[\da-f:.]*:[\da-f:.]*$/i.test(text.trim()), 'INVALID_IP_ADDRESS'),
  })
  .refine(({ account, address }) => account.trim() !== '' || address.trim() !== '', {
    message: 'IP_ADDRESS_OR_ACCOUNT_REQUIRED',
    path: ['account'],
  })

/** The filters of a revocation: each may be empty, but not all. */
export const revocationInput = z
  .object({
    since: z.string().max(40, 'PAYLOAD_TOO_LARGE'),
    ip: z
      .string()
      .max(64, 'PAYLOAD_TOO_LARGE')
      .refine(
        (text) => text.trim() === '' || /^[\d.]+(?:\/\d{1,2})?$|^[\da-f:.]*:[\da-f:.]*(?:\/\d{1,3})?$/i.test(text.trim()),
        'INVALID_IP_ADDRESS',
      ),
    method: z.string().max(64, 'PAYLOAD_TOO_LARGE'),
    organizationId: z.string().max(36, 'PAYLOAD_TOO_LARGE'),
    reason: z.string().max(200, 'PAYLOAD_TOO_LARGE'),
  })
  .refine(({ since, ip, method, organizationId }) => [since, ip, method, organizationId].some((text) => text.trim() !== ''), {
    message: 'INCIDENT_FILTER_REQUIRED',
    path: ['since'],
  })
