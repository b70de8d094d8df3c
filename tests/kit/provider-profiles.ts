/** A documented profile of each provider, for tests that change it. Personal data is replaced. */

export interface DocumentedProfile {
  /** Claims of the ID token, if the provider sends one. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** JSON by URL, without query unless the provider has several responses by it. */
  readonly responses?: Readonly<Record<string, unknown>>
  /** Paths of the user ID, and what is around it: without it, the sign-in ends. */
  readonly subject: readonly string[]
  /** Members that say who may sign in. */
  readonly gates?: readonly string[]
  /** Members with the email address, of which one is enough to sign up. Default: `email`. */
  readonly email?: readonly string[]
  /** The member that says whether the email address is verified. */
  readonly verified?: string
  /** URLs of responses without which a user still signs in. */
  readonly more?: readonly string[]
}

const ann = { name: 'Ann Smith', email: 'ann@example.com' }
const standard = { sub: 'ann-1', ...ann, email_verified: true, picture: 'https://img.example/ann.png' }
const openid = (iss: string, more: object = standard) => ({
  claims: { iss, ...more },
  subject: ['sub'],
  gates: ['iss'],
  verified: 'email_verified',
})
const userInfo = (url: string) => ({ responses: { [url]: standard }, subject: ['sub'], verified: 'email_verified' })

const xURL = 'https://api.x.com/2/users/me'
const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'

export const documentedProfiles: Readonly<Record<string, DocumentedProfile>> = {
  apple: openid('https://appleid.apple.com', {
    sub: '001999.abc',
    email: ann.email,
    email_verified: 'true',
    is_private_email: 'false',
  }),
  discord: {
    responses: {
      'https://discord.com/api/users/@me': {
        id: '80351110224678912',
        username: 'ann',
        discriminator: '1337',
        global_name: 'Ann Smith',
        avatar: '8342729096ea3675442027381ff50dfe',
        verified: true,
        email: ann.email,
      },
    },
    subject: ['id'],
    verified: 'verified',
  },
  facebook: {
    responses: {
      'https://graph.facebook.com/me': {
        id: '10215',
        ...ann,
        picture: { data: { url: 'https://img.example/a.jpg', width: 50 } },
      },
    },
    subject: ['id'],
  },
  github: {
    responses: {
      'https://api.github.com/user': { id: 583231, login: 'ann', name: 'Ann', email: null, avatar_url: 'https://img.example/a' },
      'https://api.github.com/user/emails': [
        { email: 'ann@example.com', primary: true, verified: true, visibility: 'public' },
        { email: 'ann@example.net', primary: false, verified: false, visibility: null },
      ],
    },
    subject: ['id'],
    more: ['https://api.github.com/user/emails'],
  },
  microsoft: {
    claims: {
      ...{ tid: tenant, iss: `https://login.microsoftonline.com/${tenant}/v2.0`, sub: 'AAAAIkzqFVrSaSaFHy782bbtaQ' },
      ...{ ...ann, preferred_username: ann.email, picture: 'https://img.example/ann.png', xms_edov: true },
    },
    subject: ['sub'],
    gates: ['tid', 'iss'],
    verified: 'xms_edov',
  },
  google: openid('https://accounts.google.com', { ...standard, hd: 'example.com' }),
  huggingface: userInfo('https://huggingface.co/oauth/userinfo'),
  spotify: {
    responses: {
      'https://api.spotify.com/v1/me': {
        ...{ id: 'ann', display_name: 'Ann', email: ann.email },
        images: [{ url: 'https://img.example/a', height: 64, width: null }],
      },
    },
    subject: ['id'],
  },
  twitch: openid('https://id.twitch.tv/oauth2', { ...standard, preferred_username: 'ann' }),
  twitter: {
    responses: {
      [`${xURL}?user.fields=profile_image_url`]: {
        data: { id: '2244994945', name: 'Ann', username: 'ann', profile_image_url: 'https://img.example/a' },
      },
      [`${xURL}?user.fields=confirmed_email`]: { data: { id: '2244994945', confirmed_email: ann.email } },
    },
    subject: ['data', 'data.id'],
    email: [],
    more: [`${xURL}?user.fields=confirmed_email`],
  },
  dropbox: {
    responses: {
      'https://api.dropboxapi.com/2/users/get_current_account': {
        ...{ account_id: 'dbid:AAH4f99', name: { given_name: 'Ann', display_name: 'Ann Smith' }, email: ann.email },
        ...{ email_verified: true, profile_photo_url: 'https://img.example/a' },
      },
    },
    subject: ['account_id'],
    verified: 'email_verified',
  },
  kick: {
    responses: {
      'https://api.kick.com/public/v1/users': {
        data: [{ user_id: 123, ...ann, profile_picture: 'https://img.example/a' }],
        message: 'OK',
      },
    },
    subject: ['data', 'data.0', 'data.0.user_id'],
    email: ['data.0.email'],
  },
  linkedin: userInfo('https://api.linkedin.com/v2/userinfo'),
  gitlab: {
    responses: {
      'https://gitlab.com/api/v4/user': {
        ...{ id: 4, username: 'ann', ...ann, avatar_url: 'https://img.example/a', state: 'active', locked: false },
        confirmed_at: '2012-05-23T09:05:22Z',
      },
    },
    subject: ['id'],
    gates: ['state', 'locked'],
  },
  tiktok: {
    responses: {
      'https://open.tiktokapis.com/v2/user/info/': {
        data: { user: { open_id: '723f24d7', avatar_large_url: 'https://img.example/a', display_name: 'Ann', username: 'ann' } },
        error: { code: 'ok', message: '', log_id: '2022' },
      },
    },
    subject: ['data', 'data.user', 'data.user.open_id'],
    gates: ['error.code'],
    email: [],
  },
  reddit: {
    responses: {
      'https://oauth.reddit.com/api/v1/me': {
        ...{ id: '1w72', name: 'ann_smith', icon_img: 'https://img.example/a?width=256', oauth_client_id: 'the-client' },
        has_verified_email: true,
      },
    },
    subject: ['id'],
    email: [],
  },
  roblox: { ...userInfo('https://apis.roblox.com/oauth/v1/userinfo'), email: [] },
  vk: {
    responses: {
      'https://id.vk.com/oauth2/user_info': {
        user: { user_id: '1234567890', first_name: 'Ann', last_name: 'Smith', avatar: 'https://img.example/a', email: ann.email },
      },
    },
    subject: ['user', 'user.user_id'],
    email: ['user.email'],
  },
  zoom: {
    responses: {
      'https://api.zoom.us/v2/users/me': {
        id: 'zJKyai',
        display_name: 'Ann',
        email: ann.email,
        pic_url: 'https://i.e/a',
        verified: 1,
      },
    },
    subject: ['id'],
    verified: 'verified',
  },
  slack: openid('https://slack.com', {
    ...standard,
    'https://slack.com/team_id': 'T0RR',
    'https://slack.com/user_image_512': 'https://img.example/a',
  }),
  notion: {
    responses: {
      'https://api.notion.com/v1/users/me': {
        object: 'user',
        bot: {
          owner: {
            type: 'user',
            user: { id: 'd40e767c', name: 'Ann', avatar_url: 'https://i.e/a', type: 'person', person: { email: ann.email } },
          },
        },
      },
    },
    subject: ['bot', 'bot.owner', 'bot.owner.user', 'bot.owner.user.id'],
    gates: ['bot.owner.type'],
    email: ['bot.owner.user.person', 'bot.owner.user.person.email'],
  },
  atlassian: {
    responses: {
      'https://api.atlassian.com/me': {
        ...{ account_id: '112233aa', ...ann, email_verified: true, picture: 'https://img.example/a', account_status: 'active' },
      },
    },
    subject: ['account_id'],
    gates: ['account_status'],
    verified: 'email_verified',
  },
  'generic-user-info': userInfo('https://acme.example/userinfo'),
  'generic-id-token': {
    ...openid('https://acme.example'),
    responses: { 'https://acme.example/userinfo': standard },
    email: [],
    more: ['https://acme.example/userinfo'],
  },
}
