INSERT INTO latchkey.apikey (id, name, start, prefix, `key`, userId, refillInterval, refillAmount, lastRefillAt, enabled,
  rateLimitEnabled, rateLimitTimeWindow, rateLimitMax, requestCount, remaining, lastRequest, expiresAt, createdAt, updatedAt,
  permissions, metadata)
SELECT k.id, k.name, k.start, k.prefix, k.`key`, k.userId, k.refillInterval, k.refillAmount, k.lastRefillAt, COALESCE(k.enabled, 1),
  COALESCE(k.rateLimitEnabled, 1), k.rateLimitTimeWindow, k.rateLimitMax, COALESCE(k.requestCount, 0), k.remaining,
  k.lastRequest, k.expiresAt, k.createdAt, k.updatedAt, k.permissions, k.metadata
FROM app.apikey k JOIN latchkey.user u ON u.id = k.userId;
