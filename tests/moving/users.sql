SET time_zone = '+00:00';
SELECT JSON_OBJECT(
  'user', JSON_OBJECT(
    'id', u.id, 'email', u.email, 'name', u.name, 'image', u.image, 'emailVerified', u.emailVerified,
    'createdAt', u.createdAt, 'updatedAt', u.updatedAt,
    'role', u.role, 'banned', u.banned, 'banReason', u.banReason, 'banExpires', u.banExpires,
    'username', u.username, 'displayUsername', u.displayUsername, 'twoFactorEnabled', u.twoFactorEnabled,
    'locale', (SELECT locale FROM user own WHERE own.id = u.id)),
  'twoFactor', (SELECT JSON_OBJECT('secret', t.secret, 'backupCodes', t.backupCodes) FROM twoFactor t WHERE t.userId = u.id LIMIT 1),
  'accounts', COALESCE((
    SELECT JSON_ARRAYAGG(JSON_OBJECT(
      'providerId', a.providerId, 'accountId', a.accountId, 'password', a.password, 'scope', a.scope,
      'createdAt', a.createdAt, 'updatedAt', a.updatedAt))
    FROM account a WHERE a.userId = u.id), JSON_ARRAY())) AS line
FROM user u, (SELECT NULL AS locale) absent ORDER BY u.createdAt, u.id;
