/** What the header of a request says of the responses that its client can use. */

/** Whether a client has the response with this tag (RFC 9110 §13.1.2). Proxies that compress mark a tag as weak, which is compared all the same. */
export const isKnownTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')))

/** Whether a client accepts a content coding, which it may also list with a quality of zero (RFC 9110 §12.5.3). */
export const acceptsCoding = (acceptEncoding: string | undefined, coding: string): boolean =>
  (acceptEncoding ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
