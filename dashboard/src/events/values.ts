/** What sentences are made of. Those of users and things are places, which become links. */
export interface Values {
  readonly actor: string
  /** The user whom the event is about. */
  readonly user: string
  /** Whether that is the actor, or no other user is known. */
  readonly isOwn: boolean
  readonly hasUser: boolean
  readonly hasFailed: boolean
  /** A team, an invitation, a role, or another target. */
  readonly target: string
  readonly organization: string
  readonly role: string
  readonly from: string
  readonly to: string
  readonly team: string
  readonly method: string
  readonly route: string
  readonly count: number
  /** A key, such as `replaced`. */
  readonly reason: string
}
