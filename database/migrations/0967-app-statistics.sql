-- Which codes of which app there are is one thing: taken apart, an app of which hardly a terminal runs an old code looked as common as all others, and
-- the list of those terminals was found by asking each terminal of the fleet.
create statistics device_app_codes (mcv) on package_name, version_code from device_app;
-- Twenty apps of a large fleet have more versions than the usual hundred.
alter statistics device_app_codes set statistics 1000;
analyze device_app;
